"""The sandbox at each level prevents these attacks, which are run."""

import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catan_env.arena import bubblewrap, landlock, seccomp
from catan_env.arena.keeper import files_in
from catan_env.arena.sandbox import LEVELS, LONGEST_END, Limits, Sandbox, delete, in_words
from tests.arena.attacked import ATTACKS, wait_until
from tests.arena.levels import HELD, strict, unprivileged
from tests.arena.processes import all_gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

ROOT = Path(__file__).parents[2]
scoped = pytest.mark.skipif(landlock.version() < 6, reason="this Linux cannot scope signals")
filtered = pytest.mark.skipif(not seccomp.is_there(), reason="this machine has no libseccomp")
CLOSED = [pytest.param("strict", marks=strict), pytest.param("limits", marks=scoped)]


@pytest.fixture
def bystander():
    """A process of the same user that must not be harmed."""
    process = subprocess.Popen(["sleep", "3600"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("level", LEVELS)
def test_one_line_names_the_sandbox_of_the_agents(level):
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
def test_an_agent_can_neither_stop_nor_kill_its_supervisor(level, attack):
    for name, said in (("stops_its_keeper", "stopped"), ("kills_its_keeper", "killed")):
        attacker = attack(level, name, *([os.getpid()] if said == "killed" else []))
        wait_until(lambda it=attacker, said=said: it.has_printed(said) or it.is_gone)
        attacker.agent.close()
        assert attacker.agent._keeper.returncode == 0, "it did not have to be killed"
    assert all_gone(f"3600.0{os.getpid()}")


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


@strict
def test_a_strict_agent_stores_nothing_among_the_devices_but_shared_memory(attack, tmp_path):
    said = attack("strict", "fills_the_disk", Path("/dev"), Path("/dev/shm")).said()
    assert said[1] == "wrote /dev 0"
    assert said[2].startswith("wrote /dev/shm ") and 0 < int(said[2].split()[-1]) <= 64
    assert printed(tmp_path / "out", "echo x > /dev/null && echo written") == ["written"]


@strict
def test_a_strict_agent_that_makes_very_many_files_is_killed(attack):
    said = attack("strict", "makes_files", Path("/var/tmp"), Path("/dev/shm")).reason()
    assert re.fullmatch(r"it stores \d+ files; allowed are 10000", said)


def test_files_of_the_host_do_not_count_while_a_wrapper_has_not_hidden_them():
    assert files_in("/usr", os.getpid()) == 0


MOUNTS = """
import ctypes, sys
libc, folder = ctypes.CDLL(None), sys.argv[1].encode()
print("mounts", flush=True)
while True:
    libc.mount(b"none", folder, b"tmpfs", 0, None)
    libc.umount2(folder, 2)
"""


@strict
def test_files_of_the_host_do_not_count_while_a_wrapper_hides_them(tmp_path):
    command = ["unshare", "--map-root-user", "--mount", sys.executable, "-c", MOUNTS, tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as wrapper:
        wrapper.stdout.readline()
        counted: set[int] = set()
        until = time.monotonic() + 600
        while len(counted) < 2 and time.monotonic() < until:
            counted |= {files_in(str(tmp_path), wrapper.pid) for _ in range(40_000)}
        wrapper.kill()
    assert len(counted) > 1, "the folder was never hidden"
    assert max(counted) < 100


@pytest.mark.skipif(landlock.version() < 1, reason="this Linux has no Landlock")
def test_a_limited_agent_writes_to_its_own_folder_until_that_is_full(attack, tmp_path):
    attacker = attack("limits", "keeps_the_disk_full", tmp_path, Path("/var/tmp"))
    assert attacker.reason() == "it stores more than 64 MiB or 10000 files"
    attacker.agent.close()
    assert not list(tmp_path.glob("big-*")) and not list(Path("/var/tmp").glob("big-*"))


TOO_DEEP = "a folder that it made cannot be read: more than 64 are nested"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hides_files", "it stores more than 64 MiB or 10000 files"),
        ("nests_folders", TOO_DEEP),
    ],
)
def test_a_limited_agent_stores_nothing_unseen_and_leaves_nothing(name, reason, attack):
    attacker = attack("limits", name)
    scratch = Path(attacker.agent._scratch)
    assert attacker.reason() == reason
    attacker.agent.close()
    assert not scratch.exists()


SHUT_FOLDERS = """
import os, sys, tempfile
from catan_env.arena.keeper import stored_in_excess
from catan_env.arena.sandbox import delete

folder = tempfile.mkdtemp()
print(stored_in_excess(folder))
for mode in (0o300, 0o400, 0):
    shut = os.path.join(folder, f"shut-{mode}")
    os.makedirs(os.path.join(shut, "inner"))
    os.chmod(shut, mode)
    print(stored_in_excess(folder))
delete(folder)
print(os.path.exists(folder))
"""


def test_a_folder_that_its_owner_cannot_read_is_too_much_and_is_deleted():
    """Root can read it, so another user runs this."""
    found = unprivileged()
    if found is None:
        pytest.skip("root alone can read these files, or this Python")
    python, user = found
    who = {"user": user, "group": user} if user != os.getuid() else {}
    done = subprocess.run(
        [python, "-c", SHUT_FOLDERS], cwd=ROOT, capture_output=True, text=True, **who
    )
    shut = "a folder that it made cannot be read: Permission denied"
    assert done.stdout.splitlines() == ["", shut, shut, shut, "False"], done.stderr


def test_files_of_an_agent_that_remain_are_reported(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "left").mkdir()
    for name in ("chmod", "rm"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    delete(str(tmp_path / "left"))
    said = f"an agent's files in {tmp_path / 'left'} cannot be deleted\n"
    assert capfd.readouterr() == ("", said)


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


TEXT = f"the command lines of all entrants, {os.getpid()}"


@pytest.fixture(params=["/var/tmp", "/opt", "home", "beside the package"])
def league_folder(request) -> Iterator[Path]:
    """A folder with a league and an agent in paths of every kind."""
    beside = bubblewrap.PACKAGE.parent
    named = {"home": Path.home(), "beside the package": beside}
    parent = named.get(request.param, Path(request.param))
    if not os.access(parent, os.W_OK):
        pytest.skip(f"only root can write to {parent}")
    with TemporaryDirectory(dir=parent, prefix="league-") as folder:
        (Path(folder) / "mine").mkdir()
        for name in ("league.db", "league.db-wal", "other.py", "mine/league.db"):
            (Path(folder) / name).write_text(TEXT)
        yield Path(folder)


def searched(command: list[str], folder: Path, out: Path, *private: Path) -> list[str]:
    """The output of an agent that searches for the text, started from the current folder."""
    places = [folder, folder.parent / folder.name, *folder.glob("**")]
    sandbox = Sandbox("strict", private)
    words = [*command, "searches", TEXT, *(f"@{place}" for place in places)]
    agent = sandbox.start(words, 4, Limits(1, 256), out, out.with_suffix(".err"), 0)
    wait_until(lambda: out.exists() and "searched" in out.read_text())
    agent.close()
    return out.read_text().splitlines()


@strict
def test_a_strict_agent_reads_nothing_of_the_folder_that_it_is_started_from(
    league_folder, tmp_path, monkeypatch
):
    command = [sys.executable, "-I", "-S", str(ATTACKS)]
    for start, private in ((league_folder, ()), (league_folder.parent, (league_folder,))):
        monkeypatch.chdir(start)
        out = tmp_path / f"{start.name}.out"
        assert searched(command, league_folder, out, *private) == ["searched"]


def test_private_folders_are_hidden_wherever_the_server_is_started(league_folder):
    hidden = bubblewrap.hidden_from_agents(Path("/"), (league_folder,))
    assert league_folder in hidden and Path("/") not in hidden


@strict
def test_a_program_in_that_folder_is_shown_alone(league_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(league_folder)
    monkeypatch.setenv("PATH", f"{league_folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(str(league_folder))
    (league_folder / "agent.py").write_text(f"# {TEXT}\n{ATTACKS.read_text()}")
    command = [sys.executable, "-I", "-S", "agent.py"]
    said = searched(command, league_folder, tmp_path / "agent.out", league_folder)
    assert said[-1] == "searched"
    assert {Path(line.removeprefix("found ")).name for line in said[:-1]} == {"agent.py"}


@strict
def test_a_program_below_that_folder_sees_its_own_folder(league_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(league_folder)
    (league_folder / "ann").mkdir()
    (league_folder / "ann" / "agent.py").write_text(ATTACKS.read_text())
    (league_folder / "ann" / "weights").write_text(TEXT)
    command = [sys.executable, "-I", "-S", "ann/agent.py"]
    said = searched(command, league_folder, tmp_path / "agent.out", league_folder)
    assert {Path(line.removeprefix("found ")).name for line in said[:-1]} == {"weights"}


@strict
def test_a_module_and_weights_that_a_command_names_are_shown(monkeypatch):
    with TemporaryDirectory(dir="/var/tmp") as start:
        monkeypatch.chdir(start)
        for name in ("mine.py", "mine.npz", "other.npz"):
            (Path(start) / name).write_text(TEXT)
        command = [sys.executable, "-I", "-S", str(ATTACKS)]
        words = [*command, "reads", "mine:Policy", "--weights=mine.npz", "mine.npz"]
        hidden = bubblewrap.hidden_from_agents(Path(start))
        rules = bubblewrap.rules(hidden, bubblewrap.shown(words, Path(start)))
    below = {path.name for path, is_shown in rules if is_shown and path.parent == Path(start)}
    assert below == {"mine.py", "mine.npz"}


def printed(out: Path, command: str) -> list[str]:
    """The lines that a strict agent, a command of the shell, printed to a file."""
    words = ["sh", "-c", command]
    agent = Sandbox("strict").start(words, 4, Limits(1, 256), out, out.with_suffix(".err"), 0)
    wait_until(lambda: select.select([agent.lifeline], [], [], 0)[0])
    agent.close()
    return out.read_text().splitlines()


def write_program(path: Path) -> None:
    """Write a script that prints the file it is given, if it can, and that it ran."""
    path.parent.mkdir(exist_ok=True)
    path.write_text('#!/bin/sh\ncat "$1"\necho ran')
    path.chmod(0o755)


@pytest.fixture
def tools(tmp_path, monkeypatch) -> Path:
    """A hidden ~/.local whose `bin` is on PATH."""
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / ".local"
    root.mkdir()
    write_program(root / "bin" / "show")
    (root / "credentials").write_text("secret\n")
    monkeypatch.setenv("PATH", f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return root


@strict
def test_of_a_folder_on_the_path_only_the_programs_are_shown(tools, tmp_path):
    assert printed(tmp_path / "out", f"show {tools / 'credentials'}") == ["ran"]


@strict
def test_a_program_that_the_path_links_to_is_shown_alone(tools, tmp_path):
    write_program(tools / "share" / "linked-1.0")
    (tools / "share" / "notes").write_text("secret\n")
    (tools / "share" / "linked").symlink_to("linked-1.0")
    (tools / "bin" / "linked").symlink_to("../share/linked")
    (tools / "bin" / "folder").symlink_to("../share")
    (tools / "bin" / "nowhere").symlink_to("nowhere")
    files = [tools / "share" / "notes", tools / "bin" / "folder" / "notes"]
    asked = "; ".join(f"linked {file}" for file in files)
    assert printed(tmp_path / "out", asked) == ["ran", "ran"]


INSTALLATIONS = [
    ("pyvenv.cfg", "lib/module", True),
    ("conda-meta/history", "lib/module", True),
    ("shims/python", "versions/3.12/lib/module", True),
    ("lib/jvm.cfg", "conf/module", True),
    ("lib/python3.11/os.py", "lib/module", False),
    ("lib/node_modules/npm/package.json", "lib/node_modules/npm/module", False),
]
"""A file that shows its kind, one that its programs need, and whether all of it is shown."""


@strict
@pytest.mark.parametrize(("marker", "module", "is_whole"), INSTALLATIONS)
def test_an_installation_on_the_path_is_shown(marker, module, is_whole, tools, tmp_path):
    for name in (marker, module):
        (tools / name).parent.mkdir(parents=True, exist_ok=True)
        (tools / name).write_text("found\n")
    asked = f"show {tools / module}; show {tools / 'credentials'}"
    expected = ["found", "ran", *["secret"] * is_whole, "ran"]
    assert printed(tmp_path / "out", asked) == expected


@strict
def test_the_installation_of_a_program_that_the_path_links_to_is_shown(tools, tmp_path):
    python, tool = tmp_path / "python", tmp_path / "tool"
    for folder, marker in ((python, "lib/python3.11/os.py"), (tool, "pyvenv.cfg")):
        (folder / marker).parent.mkdir(parents=True, exist_ok=True)
        (folder / marker).write_text("found\n")
        write_program(folder / "bin" / folder.name)
    (tool / "bin" / "python").symlink_to(python / "bin" / "python")
    (tools / "bin" / "tool").symlink_to(tool / "bin" / "tool")
    asked = f"tool {tool / 'pyvenv.cfg'}; {tool}/bin/python {python}/lib/python3.11/os.py"
    assert printed(tmp_path / "out", asked) == ["found", "ran"] * 2


@strict
@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_the_tables_and_people_of_live_servers_are_hidden(folder, tools, tmp_path, monkeypatch):
    state = tools / (folder or "state")
    monkeypatch.setenv("XDG_STATE_HOME", str(state) if folder else "")
    (tools / "pyvenv.cfg").touch()
    people = state / "catan_env" / "people.db"
    people.parent.mkdir(parents=True)
    people.write_text("secret\n")
    asked = f"show {people}; show {tools / 'credentials'}"
    assert printed(tmp_path / "out", asked) == ["ran", "secret", "ran"]


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


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_listens_at_no_port_not_even_one_that_the_kernel_chooses(level, attack):
    assert attack(level, "listens").said() == []
    assert attack(level, "accepts").said() == []


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_has_no_memory_outside_its_address_space(level, attack):
    assert attack(level, "stores_memory").said() == []


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_speaks_in_no_other_way_than_tcp(level, attack):
    assert attack(level, "opens_sockets").said() == []
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert attack(level, "connects_by_sending", other.getsockname()[1]).said() == []


@contextmanager
def services(folders: list[Path]) -> Iterator[list[str]]:
    """Sockets of every kind that listen in each writable folder, and in no folder."""
    name, kinds = f"catan-env-{os.getpid()}", (1, 2, 5)
    with ExitStack() as stack:
        paths = [f"abstract:{name}-{kind}" for kind in kinds]
        paths += [str(f / f"{name}-{kind}") for f in folders for kind in kinds if writable(f)]
        for path in paths:
            service = stack.enter_context(socket.socket(socket.AF_UNIX, int(path[-1])))
            service.bind(path.replace("abstract:", "\0"))
            if int(path[-1]) != socket.SOCK_DGRAM:
                service.listen()
            if path.startswith("/"):
                stack.callback(os.unlink, path)
        yield paths


def writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_reaches_no_service_of_the_host_wherever_it_listens(level, attack, monkeypatch):
    folders = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/opt", "/var/lib", "/usr/local", "/etc"]
    places = [Path.home(), Path(__file__).parent, *map(Path, folders)]
    with TemporaryDirectory(dir="/var/tmp") as short:
        monkeypatch.chdir(short)
        with services([*places, Path(short)]) as paths:
            assert len(paths) >= 3 * 5
            assert attack(level, "speaks_to_services", *paths).said() == ["pair 1"]


def test_an_unrestricted_agent_reaches_them(attack):
    with TemporaryDirectory(dir="/var/tmp") as short, services([Path(short)]) as paths:
        said = attack("none", "speaks_to_services", *paths).said()
    assert sum(line.startswith("spoke to") for line in said) >= len(paths)
    assert "netlink 0" in said and said[-1] == "pair 1"


@filtered
@pytest.mark.parametrize("level", HELD)
def test_an_agent_makes_no_namespaces(level, attack):
    assert attack(level, "makes_namespaces").said() == []


@pytest.mark.parametrize("level", CLOSED)
def test_an_agent_cannot_change_programs_that_others_run(level, attack):
    files = [
        bubblewrap.PACKAGE / "__init__.py",
        *bubblewrap._cache_folder().glob("*/*.nbi"),
    ]
    assert attack(level, "poisons", *files[:5]).said() == []


@pytest.mark.parametrize(("number", "name"), [(11, "SIGSEGV"), (35, "signal 35")])
def test_a_signal_that_ends_an_agent_is_named(number, name, attack):
    said = attack("limits", "dies_by", number).reason()
    assert said == f"its process was killed by {name}"


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
