"""What an agent cannot do to the machine, by level of the sandbox: each attack is run."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env.arena import bubblewrap, landlock, seccomp
from catan_env.arena.sandbox import LEVELS, LONGEST_END, Limits, Sandbox, in_words
from tests.arena.attacked import Attack, wait_until
from tests.arena.processes import all_gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

NOBODY = 65534
ROOT = Path(__file__).parents[2]
strict = pytest.mark.skipif(bool(bubblewrap.why_not()), reason="bubblewrap does not run here")
HELD = [pytest.param("strict", marks=strict), "limits"]
scoped = pytest.mark.skipif(landlock.version() < 6, reason="this Linux cannot scope signals")
filtered = pytest.mark.skipif(not seccomp.is_there(), reason="this machine has no libseccomp")
CLOSED = [pytest.param("strict", marks=strict), pytest.param("limits", marks=scoped)]


@pytest.fixture
def attack(tmp_path):
    begun = []

    def begin(
        level: str, *words: object, threads: int = 1, memory: int = 256, grace: float = 1.0
    ) -> Attack:
        sandbox = Sandbox(level, (tmp_path,), grace=grace)
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
    for name, said in (("stops_its_keeper", "stopped"), ("kills_its_keeper", "killed")):
        attacker = attack(level, name, *([os.getpid()] if said == "killed" else []))
        wait_until(lambda it=attacker, said=said: it.has_printed(said) or it.is_gone)
        attacker.agent.close()
        assert attacker.agent._keeper.returncode == 0, "nobody had to kill it"
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
    attacker = attack("limits", "keeps_the_disk_full", tmp_path, Path("/var/tmp"))
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
    attacker = attack(level, "forks_a_while", 0.3)
    assert attacker.reason() == "its process exited with status 0"
    assert attacker.out.read_text() == "started\n"


@pytest.mark.parametrize("level", HELD)
def test_what_it_forks_when_the_game_has_begun_does_count(level, attack):
    attacker = attack(level, "forks_a_while", 60)
    attacker.agent.begin()
    assert "threads; allowed are 1" in attacker.reason()


def unprivileged() -> tuple[str, int] | None:
    """A Python that runs these files, and a user of whom the kernel bounds the processes."""
    if os.getuid():
        return sys.executable, os.getuid()
    probe = ["-c", "import tests.arena.attacked"]
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, *probe], cwd=ROOT, user=NOBODY, group=NOBODY, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, NOBODY
    return None


@strict
def test_a_strict_agent_of_an_ordinary_user_forks_no_more_than_it_may_even_unseen():
    """The kernel bounds no processes of root's: there another user starts it."""
    found = unprivileged()
    if found is None:
        pytest.skip("root alone can read these files, or this Python")
    python, user = found
    who = {"user": user, "group": user} if user != os.getuid() else {}
    command = [python, "-m", "tests.arena.attacked"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **who)
    assert 1 <= done.stdout.count("forked") <= 3, done
    assert "threads; allowed are 1" in done.stdout


@pytest.mark.parametrize("level", [*HELD, "none"])
def test_an_agent_has_a_moment_to_leave_and_is_then_ended(level, attack):
    leaving = attack(level, "leaves", grace=LONGEST_END - 1)
    wait_until(lambda: leaving.has_printed("leaving"))
    leaving.agent.close()
    assert leaving.has_printed("left")
    staying = attack(level, "stays")
    wait_until(lambda: staying.has_printed("still here"))
    staying.agent.close()
    assert staying.agent._keeper.returncode == 0, "it has ended the agent"
