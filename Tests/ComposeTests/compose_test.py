"""Proves the stack of containers: builds it, uses it, disturbs it, and prints what that cost.

    compose_test.py

Run it with `make compose-test`, which sees to an engine and to the clients. It takes root, since it
does to the containers' processes what the engine would not. `docker compose` gets a project of its
own, so a stack that runs here already is left alone.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

IMAGE = "swiftkart-test"
os.environ.update({"COMPOSE_PROJECT_NAME": IMAGE, "KART_IMAGE": IMAGE})
# An engine of the test's own has all ports free; another may serve a stack on the usual one.
IS_OWN = os.environ.get("CONTAINER_ENGINE") == "own"
os.environ.setdefault("KART_PORT", "8080" if IS_OWN else "18080")

import readme  # noqa: E402
import refusals  # noqa: E402
from chaos import Chaos  # noqa: E402
from clients import make_stubs  # noqa: E402
from stack import PACKAGE, ExitCodes, Stack, run, wait_until  # noqa: E402
from tls_front import TLSFront  # noqa: E402

HERE = Path(__file__).resolve().parent
CONTRACT = PACKAGE / "Tests/IntegrationTests/Contract"
ADDRESS = f"127.0.0.1:{os.environ['KART_PORT']}"
RACE = "Finite Loops"
UNBEGUN = (
    '[{"name": "Winter Cup", "location": "Hall 4", "startTime": "2099-01-01T10:00:00Z", "laps": 20}]'
)
# One line of one library, which the gateway alone is linked from.
CHANGED = (
    "Sources/Kart/Gateway/Gateway.swift",
    "linger: Duration = .seconds(30)",
    "linger: Duration = .seconds(31)",
)


class Report:
    """A table, printed as a whole at the end."""

    def __init__(self):
        self.rows = []

    def add(self, name, value):
        self.rows.append((name, value))
        print(f"{name}: {value}", flush=True)

    def table(self, title, header, rows):
        rows = [header] + [tuple(map(str, row)) for row in rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
        print(f"\n{title}\n")
        for row in rows:
            print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def timed(action):
    begun = time.monotonic()
    result = action()
    return time.monotonic() - begun, result


def build(folder, *options, image=IMAGE):
    """Builds the image of a copy of the package."""
    return timed(
        lambda: run(
            *("docker", "build", "--file", "Containerfile", "--tag", image, *options, "."),
            cwd=folder,
            env={**os.environ, "DOCKER_BUILDKIT": "1"},
        )
    )[0]


def size(image):
    return int(run("docker", "image", "inspect", "--format", "{{.Size}}", image).stdout)


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def copy_package(folder):
    """The files that builds take, with their times, so that one may be changed."""
    files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=PACKAGE).stdout
    for name in files.splitlines():
        source, target = PACKAGE / name, folder / name
        if source.is_symlink() or source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    protoc = PACKAGE / ".build/protoc"
    if protoc.exists():
        shutil.copytree(protoc, folder / ".build/protoc", symlinks=True)


def build_images(report, folder):
    copy_package(folder)
    if IS_OWN:
        run("docker", "builder", "prune", "--all", "--force")
        report.add("build, with nothing cached", f"{build(folder):.0f} s")
    else:
        report.add("build, with what this engine has cached", f"{build(folder):.0f} s")
    report.add("build, with nothing changed", f"{build(folder):.1f} s")
    report.add("image of all four executables", megabytes(size(IMAGE)))


def change_one_line(report, folder):
    name, before, after = CHANGED
    path = folder / name
    text = path.read_text()
    assert before in text, f"{name} has changed; choose another line"
    path.write_text(text.replace(before, after))
    report.add("build, with one line changed", f"{build(folder):.0f} s")


def follow_readme(report):
    for command, seconds in readme.run_all(dict(os.environ)):
        shown = command if len(command) < 72 else f"{command[:69]}..."
        report.add(f"README: {shown}", f"{seconds:.1f} s")


def bring_up(report, stack):
    seconds, _ = timed(lambda: stack.compose("up", "--detach", "--wait"))
    report.add("up, until all is healthy", f"{seconds:.1f} s")
    stack.kart("schedule", "import", "-", input=UNBEGUN)


def check_clients(report, stubs):
    """The mesh's own checks of the contract, with clients that nobody here wrote."""
    python = sys.executable
    contract = stubs / "contract"
    contract.mkdir()
    run(
        *(python, "-m", "grpc_tools.protoc", f"--proto_path={CONTRACT}", f"--python_out={contract}"),
        *(f"--grpc_python_out={contract}", "swift_kart_service.proto"),
    )
    run(python, CONTRACT / "contract_client.py", ADDRESS, contract, RACE, "Winter Cup")
    run(python, CONTRACT / "services_client.py", ADDRESS)
    buf = Path(python).with_name("buf")
    listed = run(
        *(buf, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--data", "{}"),
        f"http://{ADDRESS}/SwiftKartService/ListRaces",
    ).stdout
    assert all(name in listed for name in (RACE, "Duck Pond Dash", "Winter Cup")), listed
    report.add("clients of grpcio and buf", "as the contract says")


def check_confinement(report, stack):
    """What the kernel says of the processes, whatever compose.yaml says."""
    for container in stack.containers():
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{container.pid}/status").read_text().splitlines()
            if ":\t" in line
        )
        assert status["Uid"].split() == ["10001"] * 4, f"{container.name}: user {status['Uid']}"
        assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0, container.name
        assert status["NoNewPrivs"] == "1", f"{container.name} may gain privileges"
        assert status["NSpid"].split()[-1] == "1", f"{container.name} is not the first process"
        root = next(
            line.split()
            for line in Path(f"/proc/{container.pid}/mountinfo").read_text().splitlines()
            if line.split()[4] == "/"
        )
        assert "ro" in root[5].split(","), f"{container.name} can write its root"
        check_orphans(container)
    report.add("user 10001, no capability, no new privileges, root read-only, orphans reaped", "all")


def check_orphans(container):
    """A process whose parent dies is the first one's to bury."""
    orphan = run(
        *("nsenter", "--target", container.pid, "--pid", "--"),
        *("sh", "-c", "sleep 0.1 >/dev/null 2>&1 & echo $!"),
    ).stdout.strip()
    # By its number in the container. A zombie is in there until it is buried.
    process = container.path(f"/proc/{orphan}")
    wait_until(lambda: not process.exists(), f"{container.name} buries its orphan", patience=10)


def check_down_and_up(report, stack):
    """`down` drains, and takes little; the data is there when the stack is up again."""
    with ExitCodes() as ended:
        seconds, _ = timed(lambda: stack.compose("down"))
    failed = {name: code for name, code in ended.codes.items() if code != 0}
    assert not failed and len(ended.codes) >= 6, f"not drained: {ended.codes}"
    report.add("down, every process drained", f"{seconds:.1f} s")
    assert seconds < 3, "down takes 3 s or more"
    stack.compose("up", "--detach", "--wait")
    races = stack.kart("races").stdout
    assert "Winter Cup" in races, f"the schedule is lost: {races}"
    report.add("data after down and up", "there")


def check_gateway_alone(report, folder):
    """The gateway's own image, as Cloud Run starts it."""
    name, image = "swiftkart-test-alone", f"{IMAGE}-gateway"
    build(folder, "--build-arg", "EXECUTABLES=gateway", image=image)
    report.add("image of the gateway alone, linked statically", megabytes(size(image)))
    run(
        *("docker", "run", "--detach", "--name", name, "--env", "PORT=9000", "--read-only"),
        *("--publish", "127.0.0.1::9000", "--env", "KART_SCHEDULE=dns:///schedule:8080"),
        *("--env", "KART_TRACKERS=dns:///trackers:8080", image),
    )
    try:
        port = run("docker", "port", name, "9000").stdout.strip().rsplit(":", 1)[1]
        probe = (sys.executable, HERE / "health_probe.py")
        wait_until(
            lambda: run(*probe, f"127.0.0.1:{port}", check=False).returncode == 0,
            "the gateway alone serves",
        )
        front = TLSFront(folder, ("127.0.0.1", int(port)))
        run(*probe, front.address, front.certificate)
        front.close()
        with ExitCodes() as ended:
            seconds, _ = timed(lambda: run("docker", "stop", "--time", "10", name))
        assert ended.codes == {name: 0}, f"it did not drain: {ended.codes}"
        assert seconds < 10
        report.add("gateway alone on PORT: serves, also behind TLS, and stops within", f"{seconds:.1f} s")
    finally:
        run("docker", "rm", "--force", name)


def chaos(report, stack, folder):
    stack.compose("up", "--detach", "--wait")
    disturbances = Chaos(stack, ADDRESS, RACE)
    for container in stack.containers():
        report.add(
            f"resident memory with 20 followers, {container.name}",
            megabytes(container.resident_memory()),
        )
    disturbances.crash_each()
    disturbances.pause(stack.containers("tracker")[0])
    disturbances.pause(stack.container("schedule"))
    disturbances.remove_sockets()
    disturbances.fill_data()
    disturbances.run_out_of_memory()
    disturbances.scale([5, 1, 3])
    change_one_line(report, folder)
    disturbances.roll()
    report.table(
        "Chaos: how long the slowest client had to wait",
        ("disturbance", "for an event", "for ListRaces", "until all was well"),
        disturbances.rows,
    )
    print(f"\n{disturbances.finish()}")


def main():
    if os.geteuid() != 0:
        sys.exit("compose_test.py: it kills containers' processes; run it as root.")
    report = Report()
    stack = Stack()
    bounded = Stack(PACKAGE / "compose.yaml", HERE / "bounded-data.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        folder, stubs = Path(scratch) / "package", Path(scratch) / "stubs"
        folder.mkdir()
        stubs.mkdir()
        make_stubs(stubs)
        try:
            build_images(report, folder)
            follow_readme(report)
            bring_up(report, stack)
            check_clients(report, stubs)
            check_confinement(report, stack)
            report.table(
                "What a container says that cannot work",
                ("mistake", "line"),
                refusals.check(stack, IMAGE).items(),
            )
            check_down_and_up(report, stack)
            stack.compose("down", "--volumes")
            chaos(report, bounded, folder)
            check_gateway_alone(report, folder)
        except BaseException:
            print(stack.compose("logs", "--no-color", "--tail", "40", check=False).stdout)
            raise
        finally:
            bounded.compose("down", "--volumes", "--timeout", "1", check=False)
    report.table("The stack", ("what", "measured"), report.rows)


if __name__ == "__main__":
    main()
