"""A stack of containers, by the engine's command line."""

import json
import os
import subprocess
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]


def run(*arguments, check=True, **options):
    """Runs a command; what it wrote is in the exception where it fails."""
    done = subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, text=True, **options
    )
    if check and done.returncode != 0:
        raise AssertionError(
            f"{' '.join(map(str, arguments))} exited with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done


def wait_until(condition, what, patience=60):
    """Waits until something holds, and tells for how many seconds."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > patience:
            raise AssertionError(f"in vain for {patience} s: {what}")
        time.sleep(0.05)
    return time.monotonic() - begun


class Container:
    """What the engine tells of a container."""

    def __init__(self, state):
        self.id = state["Id"]
        self.name = state["Name"].lstrip("/")
        self.image = state["Image"]
        self.pid = state["State"]["Pid"]
        self.is_running = state["State"]["Running"] and not state["State"]["Restarting"]
        self.exit_code = state["State"]["ExitCode"]
        self.health = state["State"].get("Health", {}).get("Status", "none")
        self.hostname = state["Config"]["Hostname"]

    @property
    def is_well(self):
        return self.is_running and self.health in ("healthy", "none")

    def path(self, path):
        """A path of the container's file system, as the machine sees it."""
        return Path(f"/proc/{self.pid}/root") / path.lstrip("/")

    def resident_memory(self):
        """In bytes: what of its own memory is in use, without the files that are cached."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError(f"{self.name} has no memory")


class Stack:
    """The services of compose.yaml, under a name of the tests' own."""

    def __init__(self, *files, profiles=("demo",)):
        self.files = [argument for file in files for argument in ("--file", file)]
        self.profiles = [argument for name in profiles for argument in ("--profile", name)]

    def compose(self, *arguments, **options):
        return run(
            "docker", "compose", *self.files, *self.profiles, *arguments, cwd=PACKAGE, **options
        )

    def kart(self, *arguments, **options):
        """Runs `kart` in a container of its own."""
        return self.compose("run", "--rm", "--no-deps", "-T", "kart", *arguments, **options)

    def containers(self, service=None):
        """Those that are meant to run, whether they do or not."""
        names = [service] if service else []
        ids = self.compose("ps", "--all", "--quiet", *names).stdout.split()
        states = json.loads(run("docker", "inspect", *ids).stdout) if ids else []
        return sorted((Container(state) for state in states), key=lambda item: item.name)

    def container(self, service):
        (only,) = self.containers(service)
        return only

    def is_well(self, count=None):
        containers = self.containers()
        return all(container.is_well for container in containers) and (
            count is None or len(containers) == count
        )

    def logs(self, service, since=None):
        options = ["--since", since] if since else []
        return self.compose("logs", "--no-color", "--no-log-prefix", *options, service).stdout


class ExitCodes:
    """The exit statuses of the containers that end meanwhile, by their names."""

    def __enter__(self):
        self.codes = {}
        self.ooms = []
        self.since = time.time()
        return self

    def __exit__(self, *_):
        events = run(
            *("docker", "events", "--since", f"{self.since:.3f}", "--until", f"{time.time():.3f}"),
            *("--filter", "type=container", "--format", "{{json .}}"),
        ).stdout
        for event in map(json.loads, events.splitlines()):
            attributes = event["Actor"]["Attributes"]
            if event["Action"] == "die":
                self.codes[attributes["name"]] = int(attributes["exitCode"])
            elif event["Action"] == "oom":
                self.ooms.append(attributes["name"])


def crash(container):
    """Kills the process of a container; `docker kill` would count as a stop on purpose."""
    os.kill(container.pid, 9)
