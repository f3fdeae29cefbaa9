"""What an agent cannot do to the machine, by level of the sandbox: each attack is run."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_env.arena import bubblewrap, landlock, seccomp
from catan_env.arena.sandbox import LEVELS, Agent, Limits, Sandbox, in_words
from tests.arena.processes import all_gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

ATTACKS = Path(__file__).with_name("attacks.py")
PORT = 4
strict = pytest.mark.skipif(bool(bubblewrap.why_not()), reason="bubblewrap does not run here")
HELD = [pytest.param("strict", marks=strict), "limits"]
scoped = pytest.mark.skipif(landlock.version() < 6, reason="this Linux cannot scope signals")
filtered = pytest.mark.skipif(not seccomp.is_there(), reason="this machine has no libseccomp")
CLOSED = [pytest.param("strict", marks=strict), pytest.param("limits", marks=scoped)]


def named(word: object) -> str:
    """An argument of the attack."""
    return f"@{word}" if isinstance(word, Path) else str(word)


class Attack:
    """An agent that attacks, and what it printed."""

    def __init__(self, sandbox: Sandbox, folder: Path, *words: object, limits: Limits) -> None:
        self.out, err = folder / "agent.out", folder / "agent.err"
        command = [sys.executable, "-I", "-S", str(ATTACKS), *map(named, words)]
        self.agent: Agent = sandbox.start(command, PORT, limits, self.out, err, 0)

    def reason(self, within: float = 20) -> str:
        """What its lifeline says."""
        assert select.select([self.agent.lifeline], [], [], within)[0]
        return os.read(self.agent.lifeline, 1024).decode().strip()

    def said(self) -> list[str]:
        """The lines that it printed, once it has ended."""
        self.reason()
        self.agent.close()
        return self.out.read_text().splitlines()


@pytest.fixture
def attack(tmp_path):
    begun = []

    def begin(level: str, *words: object, threads: int = 1, memory: int = 256) -> Attack:
        sandbox = Sandbox(level, (tmp_path,))
        begun.append(Attack(sandbox, tmp_path, *words, limits=Limits(threads, memory)))
        return begun[-1]

    yield begin
    for each in begun:
        each.agent.close()


@pytest.fixture
def bystander():
    """A process of the same user that must not come to harm."""
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("level", LEVELS)
def test_one_line_says_how_agents_are_held(level):
    said = in_words(level)
    assert said.startswith(f"{level}: ") and "\n" not in said
    assert ("seccomp" in said) == (level != "none" and seccomp.is_there())
    assert ("bubblewrap" in said) == (level == "strict")
    assert ("as root" in said) == (level != "none" and os.geteuid() == 0)


@pytest.mark.parametrize("level", CLOSED)
def test_an_agent_signals_no_process_but_its_own(level, attack, bystander):
    said = attack(level, "kills", bystander.pid, os.getpid()).said()
    assert not [line for line in said if line.startswith("signalled")]
    assert bystander.poll() is None
    assert level != "strict" or said == ["saw"]


@pytest.mark.parametrize("level", CLOSED)
def test_an_agent_opens_no_memory_but_its_own(level, attack, bystander):
    assert attack(level, "reads_memory", bystander.pid, os.getpid()).said() == []


@pytest.mark.parametrize("level", CLOSED)
def test_an_agent_can_neither_stop_nor_kill_its_keeper(level, attack):
    for name in ("stops_its_keeper", "kills_its_keeper"):
        attacker = attack(level, name, *([os.getpid()] if name == "kills_its_keeper" else []))
        time.sleep(1)
        begun = time.monotonic()
        attacker.agent.close()
        assert time.monotonic() - begun < 5
    assert all_gone(f"60.0{os.getpid()}")


@pytest.mark.parametrize("level", HELD)
def test_an_agent_stays_on_its_processors(level, attack):
    refused = ["refused"] if seccomp.is_there() else []
    assert attack(level, "takes_processors").said() == [*refused, "on 1"]


@strict
def test_a_strict_agent_writes_64_mebibytes_and_nowhere_else(attack, tmp_path):
    said = attack("strict", "fills_the_disk", tmp_path, Path.cwd(), Path("/var/tmp")).said()
    assert said[0].startswith("wrote /tmp ") and int(said[0].split()[-1]) <= 64
    assert int(said[2].split()[-1]) == 0
    assert not list(tmp_path.glob("big-*")) and not list(Path("/tmp").glob("big-*"))


@pytest.mark.skipif(landlock.version() < 1, reason="this Linux has no Landlock")
def test_a_limited_agent_writes_to_its_own_folder_until_that_is_full(attack, tmp_path):
    attacker = attack("limits", "fills_the_disk", tmp_path, Path("/var/tmp"))
    assert attacker.reason() == "it keeps more than 64 MiB or 10000 files"
    attacker.agent.close()
    assert not list(tmp_path.glob("big-*")) and not list(Path("/var/tmp").glob("big-*"))


@strict
def test_a_strict_agent_reads_neither_the_others_output_nor_the_hosts_files(attack, tmp_path):
    (tmp_path / "other.err").write_text("secret")
    secret = Path.home() / f".catan-env-secret-{os.getpid()}"
    secret.write_text("secret")
    try:
        said = attack(
            "strict", "reads", tmp_path, tmp_path / "other.err", secret, Path("/tmp")
        ).said()
    finally:
        secret.unlink()
    assert not [line for line in said if "other.err" in line or "secret" in line]


@strict
def test_a_strict_agent_is_given_no_secrets_of_the_environment(attack, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "secret")
    (said,) = attack("strict", "tells_its_variables").said()
    assert "PATH" in said.split() and "API_TOKEN" not in said.split()


@pytest.mark.skipif(landlock.version() < 4, reason="this Linux cannot close ports")
@pytest.mark.parametrize("level", HELD)
def test_an_agent_connects_to_its_own_table_alone(level, attack):
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert attack(level, "connects", other.getsockname()[1]).said() == []
    assert attack(level, "listens").said() == []


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_speaks_in_no_other_way_than_tcp(level, attack):
    assert attack(level, "opens_sockets").said() == []
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert attack(level, "connects_by_sending", other.getsockname()[1]).said() == []


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_makes_no_namespaces(level, attack):
    assert attack(level, "makes_namespaces").said() == []


@pytest.mark.parametrize("level", CLOSED)
def test_an_agent_cannot_change_what_others_run(level, attack):
    files = [
        bubblewrap.PACKAGE / "catan_env" / "__init__.py",
        *bubblewrap._cache_folder().glob("*/*.nbi"),
    ]
    assert attack(level, "poisons", *files[:5]).said() == []


@pytest.mark.parametrize("level", HELD)
def test_what_a_wrapper_forks_while_it_starts_does_not_count(level, attack):
    attacker = attack(level, "forks_a_while")
    assert attacker.reason() == "its process exited with status 0"
    assert attacker.out.read_text() == "started\n"


@pytest.mark.parametrize("level", HELD)
def test_what_it_forks_when_the_game_has_begun_does_count(level, attack):
    attacker = attack(level, "forks_a_while")
    attacker.agent.begin()
    assert "threads; allowed are 1" in attacker.reason()


@strict
@pytest.mark.skipif(os.getuid() == 0, reason="the kernel bounds no processes of root's")
def test_a_strict_agent_of_an_ordinary_user_forks_no_more_than_it_may_even_unseen(attack):
    attacker = attack("strict", "forks_quickly")
    attacker.agent.begin()
    time.sleep(0.5)
    os.kill(attacker.agent.keeper, signal.SIGSTOP)  # nobody looks
    time.sleep(2)
    assert 1 <= attacker.out.read_text().count("forked") <= 3
    os.kill(attacker.agent.keeper, signal.SIGCONT)
    assert "threads; allowed are 1" in attacker.reason()


@pytest.mark.parametrize("level", [*HELD, "none"])
def test_an_agent_has_a_moment_to_leave_and_is_then_ended(level, attack):
    attacker = attack(level, "stops_its_keeper", 2**22 + 1)
    attacker.reason()
    slow = Attack(Sandbox(level), attacker.out.parent, "kills", limits=Limits())
    slow.agent.close()
    assert slow.out.read_text().endswith("saw\n")
