"""A seat at catanatron's table: its engine, its rules and its dice, and one of our policies.

Works with catanatron as released (3.2.1) and as its repository is since 2026 (3.3). A policy is
given a `SeatView` that is followed from catanatron's log, each event redacted for its seat first,
so it knows no more than at our own table. After every event the view's public facts and the seat's
own cards must be those of catanatron's state.

Where catanatron's rules are not the booklet's, its own hold:

- A bank that cannot pay a kind in full pays none of it, also where one seat alone is due.
- The robber robs nobody who has no cards, and somebody else on the tile where there is one.
- Year of plenty takes one card where the bank lacks the other of the two.
- A road's last piece does not count where it ends at a rival's building, and once a road was cut
  the longest one left takes the Longest Road, however short it is.
- A road may go on from one's own past a rival's building. Roads that so meet again behind it are
  one to catanatron, and when they are cut elsewhere, a piece of them may be forgotten: nothing is
  built from there any more.
- Ten points win also out of turn; a thousand turns are a game that nobody wins.
- There is no trade between seats.

Up to 3.2, moreover:

- Half of a hand above seven is discarded at random and at once; nobody chooses. Since 3.3 each
  seat chooses, its cards one by one, from catanatron's first seat onward.
- Before the roll a knight is the only card that may be played.
- A card may be played in the turn in which it was bought. Our policies do not; others do.
- Road building asks for a brick and a lumber in hand, and leaves them there.

Its bots are handed the whole game. One that tries an action on a copy sees the card that it would
buy, and all hands; our policies see neither.
"""
