"""JSettlers' and StacSettlers' logs: our games in them are read back, damaged ones are refused."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from catan_env import Game, Rules
from catan_env.cli import main
from catan_env.core.constants import Phase
from catan_env.foreign import ForeignError, read_foreign
from catan_env.notation import read
from catan_env.protocols.jsettlers import states
from tests.foreign.damage import as_told, damaged_log
from tests.foreign.games import played, without_failed_offers
from tests.foreign.soclog_writer import NAMES, Recorded, Stac, corner_at

FEW, MANY = 6, 200
WRITERS = {"jsettlers": Recorded, "stac": Stac}
Logs = list[tuple[Game, dict[str, str]]]


@pytest.fixture(scope="module")
def logs(games: int) -> Logs:
    """Finished games, and their logs by format."""
    count = MANY if games >= 10_000 else FEW
    found: Logs = []
    for seed in range(1, count + 1):
        game = played(seed, Rules.jsettlers(), 2 + seed % 3)
        found.append((game, {name: writer(game).write() for name, writer in WRITERS.items()}))
    return found


def saved(text: str, folder: Path) -> Path:
    """The log as a file."""
    file = folder / "game.soclog"
    file.write_text(text, encoding="utf-8", newline="")
    return file


@pytest.mark.parametrize("name", WRITERS)
def test_our_games_are_read_back(name: str, logs: Logs, tmp_path: Path) -> None:
    for game, texts in logs:
        found, players = read_foreign(saved(texts[name], tmp_path))
        assert as_told(found.events, name == "stac") == as_told(
            without_failed_offers(game.events), name == "stac"
        )
        assert found.board == game.board and found.winner == game.winner
        assert players == NAMES[: game.seats]
    kinds = {
        event.action.kind.name for game, _ in logs for event in without_failed_offers(game.events)
    }
    assert {"ACCEPT", "PLAY_MONOPOLY", "PLAY_YEAR_OF_PLENTY", "BANK_TRADE", "DISCARD"} <= kinds


WRITTEN_ONCE = {"jsettlers": {"MOVE_ROBBER", "ROLL"}, "stac": {"MOVE_ROBBER"}}
"""Steps with a part that nothing else in a log repeats: the robber's tile, a roll without cards."""


@pytest.mark.parametrize("name", WRITERS)
def test_a_damaged_log_never_gives_another_game(
    name: str, logs: Logs, tmp_path: Path, games: int
) -> None:
    has_dice = name == "stac"
    chance, refused, number = Random(5), 0, 500 if games >= 10_000 else 30
    for k in range(number):
        game, texts = logs[k % len(logs)]
        try:
            found, _ = read_foreign(saved(damaged_log(texts[name], chance), tmp_path))
        except ForeignError as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 400
            continue
        ours, theirs = (
            as_told(events, has_dice)
            for events in (without_failed_offers(game.events), found.events)
        )
        pairs = zip(ours, theirs, strict=False)
        assert {a.action.kind.name for a, b in pairs if a != b} <= WRITTEN_ONCE[name], k
    assert refused > number // 5


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "jsettlers",
            r"SOCDiceResult:game=g\|param=\d+",
            "SOCDiceResult:game=g|param=13",
            "show 13",
        ),
        ("jsettlers", "all:SOCPutPiece:", "all:SOCMovePiece:", "SOCMovePiece is not part"),
        ("jsettlers", "all:SOCTurn:game=g", "all:SOCTurn;game=g", "is not a message"),
        ("jsettlers", "bef=1", "bef=3", "not a classic board"),
        ("jsettlers", "PL=4", "PL=6", "a game for 6 seats"),
        ("jsettlers", "RD=f", "SBL=t", "SBL=t is not part"),
        ("jsettlers", r"v1=(\d+)", r"v1=1\1", "cards are left"),
        ("stac", r"rolled a \d and a \d", "rolled a 6 and a 6", "the dice are"),
        ("stac", "SOCPutPiece:", "SOCNewThing:", "SOCNewThing is not part"),
        ("stac", r"cardType=9", "cardType=12", "cardType 12"),
    ],
)
def test_a_wrong_line_is_named(
    name: str, old: str, new: str, said: str, logs: Logs, tmp_path: Path
) -> None:
    text = logs[0][1][name]
    at = re.search(old, text)
    assert at is not None
    line = text[: at.start()].count("\n") + 1
    wrong = re.sub(old, new, text, count=1)
    with pytest.raises(ForeignError, match=said) as caught:
        read_foreign(saved(wrong, tmp_path))
    assert caught.value.step is not None and 0 <= caught.value.step - line <= 1


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("jsettlers", r"all:SOCBankTrade.*give=clay="),
        ("jsettlers", r"!?p\d:SOCDiscard.*resources=clay="),
        ("jsettlers", r"all:SOCAcceptOffer.*toAccepting=clay="),
        ("jsettlers", r"all:SOCPickResources.*resources=clay="),
        ("stac", r"SOCPlayerElement:.*actionType=101\|elementType=[1-5]\|value="),
        ("stac", r"SOCPlayerElement:.*actionType=102\|elementType=[1-5]\|value="),
        ("stac", r"SOCDiscoveryPick:.*resources=clay="),
    ],
)
def test_a_number_of_cards_that_no_memory_can_list_is_refused(
    name: str, start: str, logs: Logs, tmp_path: Path
) -> None:
    refused = 0
    for _, texts in logs:
        found = list(re.finditer(rf"{start}(\d+)", texts[name]))
        for at in found[:: max(1, len(found) // 4)]:
            wrong = texts[name][: at.start(1)] + f"{10**15}" + texts[name][at.end(1) :]
            try:  # a message may repeat what others say, and count for nothing
                read_foreign(saved(wrong, tmp_path))
            except ForeignError:
                refused += 1
    assert refused


DISCARDED = {
    "jsettlers": r"p\d:SOCDiscard:.*\n",
    "stac": r".*SOCPlayerElement:.*actionType=102\|elementType=6\|.*\n",
}
"""The line that completes the discard of a seat."""
STATE = r".*SOCGameState:.*state=(\d+)\n"


@pytest.mark.parametrize("name", WRITERS)
def test_a_log_that_ends_within_discards_is_cut_before_them(
    name: str, logs: Logs, tmp_path: Path
) -> None:
    cuts = 0
    for _, texts in logs:
        for at in re.finditer(f"{DISCARDED[name]}(?:.*Discard.*\n)?(?={STATE})", texts[name]):
            if int(at[1]) == states.DISCARDS:
                check_cut(texts[name][: at.end()], tmp_path)
                cuts += 1
    assert cuts


def test_a_log_of_stac_that_ends_between_the_kinds_of_a_discard_is_cut_before_it(
    logs: Logs, tmp_path: Path
) -> None:
    text = next(text for _, texts in logs if "SOCDiscard:" in (text := texts["stac"]))
    *_, first = re.finditer(r".*SOCDiscard:.*\n.*SOCPlayerElement:.*\n", text)
    check_cut(text[: first.end()], tmp_path)


def check_cut(text: str, folder: Path) -> None:
    """Assert that the log's end is refused, and the game kept up to the discards."""
    with pytest.raises(ForeignError, match="the log ends within a step") as caught:
        read_foreign(saved(text.removesuffix("\n"), folder))
    assert caught.value.step == text.count("\n") and caught.value.kept is not None
    assert caught.value.kept[0].phase == Phase.DISCARD


def test_a_log_of_one_client_lacks_hidden_cards(logs: Logs, tmp_path: Path) -> None:
    texts = next(texts for game, texts in logs if game.seats > 2)
    mine = "".join(
        line for line in texts["jsettlers"].splitlines(True) if not re.match(r"p[0-3]:", line)
    )
    with pytest.raises(
        ForeignError, match=r"hidden|not been discarded|still to be discarded|cards"
    ):
        read_foreign(saved(mine, tmp_path))


def test_the_points_are_an_option_of_the_game_or_of_the_command(tmp_path: Path) -> None:
    game = played(3, replace(Rules.jsettlers(), points_to_win=6), 3)
    written = Recorded(game).write()
    assert "VP=t6" in written
    assert read_foreign(saved(written, tmp_path)).game.winner == game.winner
    unnamed = saved(written.replace("VP=t6", "VP=f10"), tmp_path)
    assert read_foreign(unnamed, points_to_win=6).game.winner == game.winner
    stac = saved(Stac(game).write(), tmp_path)
    assert read_foreign(stac, points_to_win=6).game.winner == game.winner
    with pytest.raises(ForeignError, match="the state is 1000"):
        read_foreign(stac)


def test_lines_may_have_a_time(logs: Logs, tmp_path: Path) -> None:
    game = logs[1][0]
    found = read_foreign(saved(Recorded(game, timed=True).write(), tmp_path)).game
    assert found.winner == game.winner


def test_a_settlement_of_the_set_up_can_be_taken_back(logs: Logs, tmp_path: Path) -> None:
    game, texts = logs[0]
    lines = texts["jsettlers"].splitlines()
    k = next(k for k, line in enumerate(lines) if line.startswith("all:SOCPutPiece"))
    other = next(f"{corner_at(v):x}" for v in (0, 1) if not lines[k].endswith(f"{corner_at(v):x}"))
    wrong = re.sub("coord=.*", f"coord={other}", lines[k])
    lines[k:k] = [wrong, "all:SOCCancelBuildRequest:game=g|pieceType=1"]
    found = read_foreign(saved("\n".join(lines), tmp_path)).game
    assert as_told(found.events, False) == as_told(without_failed_offers(game.events), False)


def test_stac_takes_back_a_settlement_as_often_as_the_server_says(
    logs: Logs, tmp_path: Path
) -> None:
    game, texts = logs[0]
    lines = texts["stac"].splitlines()
    k = next(k for k, line in enumerate(lines) if ":SOCPutPiece:" in line)
    built = next(k for k, line in enumerate(lines) if "built a thing" in line)
    other = next(f"{corner_at(v):x}" for v in (0, 1) if not lines[k].endswith(f"{corner_at(v):x}"))
    wrong = re.sub("coord=.*", f"coord={other}", lines[k])
    time = lines[k].partition("SOC")[0]
    asked = f"{time}SOCCancelBuildRequest:game=g|pieceType=1"
    said = f"{time}SOCGameTextMsg:game=g|nickname=Server|text="
    cancelled = f"{said}ann cancelled this settlement placement."
    refused = [asked, f"{said}You didn't buy a settlement."]
    lines[k:k] = [*refused, wrong, lines[built], wrong, asked, asked, cancelled, *refused]
    found = read_foreign(saved("\n".join(lines), tmp_path)).game
    assert list(found.events) == without_failed_offers(game.events)


SEPARATORS = ("\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r")
"""Characters in chat and names that end no line of a log."""


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", WRITERS)
def test_only_a_line_feed_ends_a_line(
    name: str, separator: str, logs: Logs, tmp_path: Path
) -> None:
    game, texts = logs[0]
    turn = re.search(r".*SOCTurn:.*", texts[name])
    assert turn is not None
    later = turn[0].replace("Turn:", "Dance:")
    chat = turn[0].partition("SOC")[0] + f"SOCGameTextMsg:game=g|nickname=bob|text=hm{separator}"
    text = texts[name].replace(turn[0], f"{chat}{later}\n{turn[0]}", 1)
    text = text.replace("nickname=bob", f"nickname=b{separator}ob")
    found, players = read_foreign(saved(text, tmp_path))
    assert as_told(found.events, name == "stac") == as_told(
        without_failed_offers(game.events), name == "stac"
    )
    assert players[1] == f"b{separator}ob"
    wrong = text.replace("SOCGameStats:", "SOCGameDances:")
    with pytest.raises(ForeignError, match="SOCGameDances is not part") as caught:
        read_foreign(saved(wrong, tmp_path))
    assert caught.value.step == wrong[: wrong.index("SOCGameDances")].count("\n") + 1


@pytest.mark.parametrize("name", WRITERS)
def test_a_carriage_return_may_precede_the_line_feed(name: str, logs: Logs, tmp_path: Path) -> None:
    game, texts = logs[0]
    found, players = read_foreign(saved(texts[name].replace("\n", "\r\n"), tmp_path))
    assert as_told(found.events, name == "stac") == as_told(
        without_failed_offers(game.events), name == "stac"
    )
    assert players == NAMES[: game.seats]


def test_the_command_reads_a_folder_of_both(
    logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, texts = logs[0]
    for name, text in texts.items():
        (tmp_path / f"{name}.soclog").write_text(text)
    assert main(["import", str(tmp_path), "--record", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == "2 files: 2 read\n"
    found = read(tmp_path / "out" / "stac.sgn.json")
    assert list(found.events) == without_failed_offers(game.events)
