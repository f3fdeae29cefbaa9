"""A meeting between agents' processes, at a server of either protocol."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import randbits

from catan_env.arena.games import play_game
from catan_env.arena.german import GermanTournament
from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.live import ProgressReporter, Snapshot
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.moves import pack
from catan_env.arena.league.result import Result
from catan_env.arena.sandbox import Sandbox, strongest
from catan_env.arena.tournament import Tournament
from catan_env.game.game import Game
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_german import play as german


@dataclass(frozen=True)
class Place:
    """The data of a meeting that its contest needs."""

    settings: MatchSettings
    meeting: Meeting
    folders: tuple[Path | None, ...]
    """The folders in which the agents are started, by place in the line-up."""
    secret: bytes | None = field(default=None, repr=False)
    """The secret that chance is drawn from; None: the game's seed."""

    def new_game(self) -> Game:
        """The meeting's game before its first decision."""
        return self.settings.new_game(self.meeting, self.secret)


@dataclass(frozen=True, kw_only=True)
class MeetingTournament(Tournament):
    """A meeting over the binary protocol."""

    place: Place

    def new_game(self, k: int) -> Game:
        """The meeting's game; `k` is its number."""
        return self.place.new_game()

    def sandbox_of(self, agent: int) -> Sandbox:
        """Like a tournament's, in the agent's own folder."""
        return replace(super().sandbox_of(agent), folder=self.place.folders[agent])


@dataclass(frozen=True, kw_only=True)
class GermanMeetingTournament(MeetingTournament, GermanTournament):
    """A meeting over the German protocol: the same game and folders at another table."""


def play_over_tcp(
    settings: MatchSettings,
    meeting: Meeting,
    entrants: Sequence[Entrant],
    entrant_files: EntrantFiles,
    log_dir: Path | None = None,
    say: Callable[[Snapshot], object] | None = None,
    private: tuple[Path, ...] = (),
    slot: int = 0,
) -> Result:
    """Play one meeting, whose line-up `entrants` are, at a free port of this machine.

    `say` receives the state for spectators; agents see nothing of the `private` paths. `slot`
    counts the games that are played in parallel: their agents get different processors.
    """
    tournament = contest(settings, meeting, entrants, entrant_files, log_dir, private)
    if tournament.log_dir is not None:
        tournament.log_dir.mkdir(parents=True, exist_ok=True)
    teller = None if say is None else ProgressReporter(meeting, settings.new_game(meeting), say)
    outcome, game = asyncio.run(play_game(tournament, meeting.number, observer=teller, slot=slot))
    moves = pack(game, settings.new_game(meeting))
    return Result.of(meeting, outcome, moves, settings.protocol or "")


def contest(
    settings: MatchSettings,
    meeting: Meeting,
    entrants: Sequence[Entrant],
    entrant_files: EntrantFiles,
    log_dir: Path | None = None,
    private: tuple[Path, ...] = (),
) -> Tournament:
    """A meeting's tournament of one game; an agent that has not connected after 20 s is kicked.

    Each line-up has its own folder in `log_dir`, since meetings are counted by line-up.
    """
    protocol, secret = settings.protocol or "", settings.fresh_secret()
    seed = settings.seed_of(meeting) if secret is None else randbits(32)
    commands = tuple(
        entrant_files.command_of(entrant, protocol, seed + k) for k, entrant in enumerate(entrants)
    )
    limits = Settings(
        settings.timeout, settings.threads, settings.memory, settings.announced, settings.max_turns
    )
    sandbox = Sandbox(strongest(), private if log_dir is None else (*private, log_dir))
    logs = None if log_dir is None else log_dir / f"line-up-{meeting.key.replace(' ', '-')}"
    place = Place(settings, meeting, tuple(map(entrant_files.folder_of, entrants)), secret)
    titles = tuple(entrant.title for entrant in entrants)
    if protocol == "binary":
        return MeetingTournament(
            commands, settings=limits, log_dir=logs, rotate=True, sandbox=sandbox, place=place,
            given_names=titles,
        )  # fmt: skip
    spoken = german.Settings(
        settings.protocol_version, settings.timeout, settings.max_turns, go_on=True
    )
    return GermanMeetingTournament(
        commands, settings=limits, log_dir=logs, rotate=True, sandbox=sandbox, place=place,
        given_names=titles, table=spoken,
    )  # fmt: skip
