"""The processes that are measured: how they are started, waited for, and what they use."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command, **options):
    """Has a command succeed."""
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """The CPU time of a process, all threads, as the scheduler counted it."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except FileNotFoundError:
            continue
    if total:
        return total / 1e9
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def connect(address):
    """A connection to a path or a port, once something listens there."""
    for _ in range(500):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        connection = socket.socket(family)
        try:
            connection.connect(address if isinstance(address, str) else ("127.0.0.1", address))
            return connection
        except OSError:
            connection.close()
            time.sleep(0.01)
    sys.exit(f"no server at {address} after 5 s")


@contextlib.contextmanager
def running(*command, at=None, **options):
    """Runs a process, from when it listens at a path or port."""
    options.setdefault("stdout", subprocess.DEVNULL)
    process = subprocess.Popen([str(word) for word in command], **options)
    try:
        if at is not None:
            connect(at).close()
        yield process
    finally:
        process.kill()
        process.wait()


def need(tool, package):
    """Ends the run if a tool is missing."""
    if not os.access(tool, os.X_OK):
        sys.exit(f"{tool} is missing: {package}")
