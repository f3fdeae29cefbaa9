"""A seat in catanatron's engine, with its rules and dice, for one of our policies.

Works with catanatron as released (3.2.1) and as in its repository since 2026 (3.3). A policy gets a
`SeatView` that follows catanatron's log, each event redacted for its seat first, so it knows no
more than in our own engine. After every event the view's public information and the seat's own
cards are compared with catanatron's state.

Where catanatron's rules differ from the booklet's, its own apply:

- A bank that cannot pay a kind in full pays none of it, even if only one seat is due.
- The robber never robs a seat without cards, but another seat at the tile if there is one.
- Year of plenty takes one card if the bank lacks the other of the two.
- A road's last piece does not count if it ends at a rival's building, and once a road was cut the
  longest remaining one takes the Longest Road, however short it is.
- A road may continue past a rival's building. Roads that meet again behind it are one road to
  catanatron, and when they are cut elsewhere, a piece of them may be forgotten: nothing can be
  built from there any more.
- Ten points also win out of turn; a game of a thousand turns ends without a winner.
- There is no trade between seats.

Additionally, up to 3.2:

- Half of a hand above seven is discarded immediately at random. Since 3.3 each seat chooses its
  cards one by one, from catanatron's first seat onward.
- A knight is the only card that may be played before the roll.
- A card may be played in the turn in which it was bought. Our policies do not; others do.
- Road building requires a brick and a lumber in hand, and does not take them.

Its bots get the whole game. One that tries an action on a copy sees the card that it would buy, and
all hands; our policies see neither.
"""
