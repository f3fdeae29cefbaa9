"""Attacks of a malicious agent on its machine: attacks.py ATTACK ARGUMENT...

Paths are passed as @PATH, since an agent may see the paths that its command names.

Each attack writes its achievements to standard output, one word per line, and ends.
"""

import ctypes
import errno
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def kills(victims):
    """Kill processes by their numbers, or any visible one outside its own family."""
    own = {os.getpid(), os.getppid(), 1}
    for victim in map(int, victims):
        try:
            os.kill(victim, signal.SIGTERM)
            print("signalled", victim)
        except OSError:
            pass
    print("saw", *(victim for victim in victims if int(victim) in set(processes()) - own))


def reads_memory(victims):
    """Read and write another process's memory."""
    for victim in victims:
        for mode in ("rb", "r+b"):
            try:
                with open(f"/proc/{victim}/mem", mode):
                    print("opened", victim, mode)
            except OSError:
                pass
        if ctypes.CDLL(None).ptrace(16, int(victim), 0, 0) == 0:
            print("traced", victim)


def stops_its_keeper(victims):
    os.kill(int(victims[0]) if victims else os.getppid(), signal.SIGSTOP)
    print("stopped")
    sys.stdout.flush()
    time.sleep(3600)


def kills_its_keeper(marker):
    """Leave a grandchild in its own session, then kill the parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "3600.0" + marker[0]])
        os._exit(0)
    time.sleep(0.2)
    os.kill(os.getppid(), signal.SIGKILL)
    print("killed")
    sys.stdout.flush()
    time.sleep(3600)


def takes_processors(_):
    """Widen the affinity again, and check whether it stays."""
    every = range(os.cpu_count())
    try:
        os.sched_setaffinity(0, every)
    except OSError:
        print("refused")
    time.sleep(0.5)
    print("on", len(os.sched_getaffinity(0)))


def fills_the_disk(folders):
    """Write five files of 30 MiB to each writable folder."""
    for folder in [tempfile.gettempdir(), *folders]:
        written = 0
        for k in range(5):
            try:
                with open(os.path.join(folder, f"big-{os.getpid()}-{k}"), "wb") as file:
                    for _ in range(30):
                        written += file.write(b"x" * (1 << 20))
            except OSError:
                break
        print("wrote", folder, written >> 20)
        sys.stdout.flush()


def keeps_the_disk_full(folders):
    """The same, and keep running."""
    fills_the_disk(folders)
    time.sleep(3600)


def hides_files(_):
    """Write 120 MiB where paths are longer than the kernel allows, and keep running."""
    os.chdir(tempfile.gettempdir())
    for _ in range(20):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    for k in range(2):
        with open(f"big-{k}", "wb") as file:
            for _ in range(60):
                file.write(b"x" * (1 << 20))
    time.sleep(3600)


def nests_folders(_):
    """Make 3,000 nested folders, and keep running."""
    os.chdir(tempfile.gettempdir())
    for _ in range(3000):
        os.mkdir("nested")
        os.chdir("nested")
    time.sleep(3600)


def makes_files(folders):
    """Make 8,000 empty files in each folder, and keep running."""
    for folder in folders:
        for k in range(8000):
            with open(os.path.join(folder, f"empty-{k}"), "wb"):
                pass
    time.sleep(3600)


def reads(paths):
    """List folders and read files."""
    for path in paths:
        try:
            found = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read()
            print("read", path, len(found))
        except OSError:
            pass


def searches(words):
    """Search small files below some folders, and processes' files, for a text."""
    text, *places = words
    places += [f"/proc/{name}/cwd" for name in os.listdir("/proc") if name.isdigit()]
    for place in [*places, ".", tempfile.gettempdir()]:
        for where, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name not in ("lib", ".venv", ".cache")]
            for name in names:
                path = os.path.join(where, name)
                try:
                    if os.path.isfile(path) and text.encode() in open(path, "rb").read():
                        print("found", path)
                except OSError:
                    pass
    print("searched")


def connects(ports):
    """Connect to ports of this machine."""
    for port in ports:
        try:
            socket.create_connection(("127.0.0.1", int(port)), 2).close()
            print("connected", port)
        except OSError:
            pass


def opens_sockets(_):
    """Connect by other protocols than TCP, or in ways that a connection filter may overlook."""
    families = (socket.AF_INET, socket.AF_INET6, 17, 38, 40)  # and packets, ciphers, hosts
    kinds = [(f, k, 0) for f in families for k in (1, 2, 3)]
    kinds += [(2, 2 | socket.SOCK_NONBLOCK, 0), (2, 1, 262)]  # the last: several paths of TCP
    tcp = [(socket.AF_INET, 1, 0), (socket.AF_INET6, 1, 0)]
    for kind in kinds:
        try:
            socket.socket(*kind).close()
            if kind not in tcp:
                print("opened", *map(int, kind))
        except OSError:
            pass
    if ctypes.CDLL(None).syscall(41, (1 << 32) | 2, 2, 0) >= 0:
        print("opened with more bits")


def connects_by_sending(ports):
    """TCP Fast Open: the first bytes sent open the connection."""
    for port in ports:
        with socket.socket() as sock:
            try:
                sock.sendto(b"x", 0x20000000, ("127.0.0.1", int(port)))
                print("sent", port)
            except OSError:
                pass


def speaks_to_services(paths):
    """Connect to Unix sockets, its own and those of a pair, and to the kernel by netlink."""
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET)
    makers = [lambda kind=kind: (socket.socket(socket.AF_UNIX, kind),) for kind in kinds]
    makers += [lambda kind=kind: socket.socketpair(socket.AF_UNIX, kind) for kind in (*kinds, 3)]
    ways = (lambda sock, to: sock.connect(to), lambda sock, to: sock.sendto(b"x", to))
    for path in paths:
        to = path.replace("abstract:", "\0")
        for number, make in enumerate(makers):
            for way in ways:
                try:
                    way(make()[0], to)
                    print("spoke to", path, "by", number)
                except OSError:
                    pass
    for protocol in (0, 9, 15):
        try:
            socket.socket(16, socket.SOCK_RAW, protocol).close()
            print("netlink", protocol)
        except OSError:
            pass
    one, other = socket.socketpair()
    one.send(b"x")
    print("pair", len(other.recv(1)))


def makes_namespaces(_):
    """Become root in a new user namespace, which reaches more of the kernel."""
    libc = ctypes.CDLL(None)
    for flags in (0x10000000, 0x10000000 | 0x40000000):
        if libc.unshare(flags) == 0:
            print("unshared", flags)


def listens(_):
    """Listen at a port that it binds, and at one that the kernel chooses."""
    for family in (socket.AF_INET, socket.AF_INET6):
        for is_bound in (True, False):
            with socket.socket(family) as sock:
                try:
                    if is_bound:
                        sock.bind(("localhost", 0))
                    sock.listen()
                    print("listens at", sock.getsockname())
                except OSError:
                    pass


def accepts(_):
    """Accept from a socket that does not listen: only the error of a filter is EPERM."""
    libc = ctypes.CDLL(None, use_errno=True)
    with socket.socket() as sock:
        for call in (libc.accept, libc.accept4):
            call(sock.fileno(), None, None, 0)
            if ctypes.get_errno() != errno.EPERM:
                print("accepts", errno.errorcode[ctypes.get_errno()])


def stores_memory(_):
    """Get memory that is not in its address space: files without a folder, System V's objects."""
    libc = ctypes.CDLL(None, use_errno=True)
    size, create = 1 << 20, 0o1600
    ways = {
        "memfd_create": lambda: os.memfd_create("memory"),
        "memfd_secret": lambda: libc.syscall(447, 0),
        "shmget": lambda: libc.shmget(0, size, create),
        "msgget": lambda: libc.msgget(0, create),
        "semget": lambda: libc.semget(0, 1, create),
        "shmat": lambda: -1 if is_refused(libc.shmat(-1, None, 0)) else 0,
        "shmctl": lambda: -1 if is_refused(libc.shmctl(-1, 0, None)) else 0,
    }

    def is_refused(answer):
        return answer == -1 and ctypes.get_errno() == errno.EPERM

    for way, get in ways.items():
        try:
            if get() >= 0:
                print("got", way)
        except OSError:
            pass
    for number in os.listdir("/proc/self/fd"):
        try:
            os.ftruncate(int(number), 1 << 30)
            print("enlarged", os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            pass


def tells_its_variables(_):
    print(*os.environ)


def poisons(paths):
    """Write to files that other users run."""
    for path in paths:
        try:
            with open(path, "ab") as file:
                file.write(b"")
            print("wrote", path)
        except OSError:
            pass


def forks_a_while(seconds):
    """A wrapper that forks during start-up, and then becomes the agent."""
    for _ in range(3):
        subprocess.run(["true"], check=True)
    children = [subprocess.Popen(["sleep", *seconds]) for _ in range(3)]
    print("forked", flush=True)
    for child in children:
        child.wait()
    print("started")


def forks_quickly(_):
    """Start as many processes as possible once it learns that its supervisor is not looking."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    os.write(1, b"ready\n")
    signal.sigwait([signal.SIGUSR1])
    for _ in range(1000):
        try:
            if os.fork() == 0:
                time.sleep(3600)
                os._exit(0)
        except OSError:
            break
        os.write(1, b"forked\n")
    os.write(1, b"done\n")
    time.sleep(3600)


def ends_its_first_thread(sizes):
    """Continue in another thread that holds some MiB: the process then looks dead."""

    def hold(size):
        time.sleep(0.3)
        data = b"x" * (size << 20)
        os.write(1, b"holding\n")
        time.sleep(3600)
        return data

    for size in sizes:
        threading.Thread(target=hold, args=(int(size),)).start()
    ctypes.CDLL(None).syscall(EXIT_OF_A_THREAD[os.uname().machine], 0)


def ends_its_first_thread_twice(sizes):
    """The same in two processes, each of which holds less than it may."""
    os.fork()
    ends_its_first_thread(sizes)


EXIT_OF_A_THREAD = {"x86_64": 60, "aarch64": 93}


def starts_programs(sizes):
    """Start many programs, one after another, from a process that holds some MiB."""
    held = mmap.mmap(-1, int(sizes[0]) << 20)
    for _ in range(400):
        subprocess.run(["true"])
    print("held", len(held) >> 20)


def leaves(_):
    """Wait for a moment."""
    os.write(1, b"leaving\n")
    time.sleep(0.2)
    os.write(1, b"left\n")


def dies_by(signals):
    os.kill(os.getpid(), int(signals[0]))


def stays(_):
    os.write(1, b"still here\n")
    time.sleep(3600)


if __name__ == "__main__":
    globals()[sys.argv[1]]([word.removeprefix("@") for word in sys.argv[2:]])
    sys.stdout.flush()
