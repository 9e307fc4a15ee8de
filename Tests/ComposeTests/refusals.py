"""Containers that can't do what they are told: one clear line, status 1 or 2, and no healthy check."""

from stack import run, wait_until


def container(image, *arguments, options=()):
    """Runs a container to its end; its status, and the lines it wrote."""
    done = run(
        *("docker", "run", "--rm", "--read-only", "--cap-drop", "ALL", *options, image, *arguments),
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def expect_one_line(name, outcome, status, words):
    code, lines = outcome
    assert code == status, f"{name}: status {code}, not {status}: {lines}"
    assert len(lines) == 1, f"{name}: not one line: {lines}"
    assert all(word in lines[0] for word in words), f"{name}: {lines[0]}"
    return lines[0]


def check(stack, image):
    """Tries each mistake, and returns a line about each."""
    gateway = stack.container("gateway")
    said = {}

    for name, status, words, options, arguments in [
        ("a wrong option", 2, ["--listne"], [], ["tracker-service", "--listne", "unix:/tmp/x"]),
        (
            "a wrong variable",
            2,
            ["KART_DRAIN_TIMEOUT"],
            ["--env", "KART_DRAIN_TIMEOUT=soon", "--env", "KART_LISTEN=unix:/tmp/x.sock"],
            ["schedule-service"],
        ),
        ("a wrong port", 2, ["PORT"], ["--env", "PORT=http"], ["gateway", *targets()]),
        (
            "an unwritable volume",
            1,
            ["/data/telemetry.sqlite", "Permission denied"],
            ["--tmpfs", "/tmp", "--tmpfs", "/data:mode=555"],
            tracker("/data/telemetry.sqlite"),
        ),
        (
            "an unwritable volume of sockets",
            1,
            ["/data"],
            ["--tmpfs", "/tmp", "--tmpfs", "/data:mode=555"],
            ["tracker-service", "--listen", "unix:/data/x.sock", "--database", "/tmp/x.sqlite"],
        ),
        (
            "a taken port",
            1,
            ["0.0.0.0:8080", "in use"],
            ["--network", f"container:{gateway.id}"],
            ["gateway", "--listen", "ipv4:0.0.0.0:8080", *targets()],
        ),
        (
            "nothing to check the health of",
            1,
            ["unix:/run/kart/none.sock is not serving"],
            [],
            ["kart", "health", "unix:/run/kart/none.sock"],
        ),
    ]:
        outcome = container(image, *arguments, options=options)
        said[name] = expect_one_line(name, outcome, status, words)

    said["and its health"] = health_of_a_broken_one(image)
    return said


def targets():
    return ["--schedule", "unix:/tmp/s.sock", "--trackers", "unix-dir:/tmp"]


def tracker(database):
    return ["tracker-service", "--listen", "unix:/tmp/x.sock", "--database", database]


def health_of_a_broken_one(image):
    """A container that is started over and over, since it can't write, is never healthy."""
    name = "swiftkart-test-broken"
    run(
        *("docker", "run", "--detach", "--name", name, "--restart", "unless-stopped"),
        *("--read-only", "--tmpfs", "/tmp", "--tmpfs", "/data:mode=555"),
        *("--health-interval", "1s", "--health-retries", "1"),
        *("--health-cmd", "kart health unix:/tmp/x.sock"),
        *(image, *tracker("/data/telemetry.sqlite")),
    )
    try:
        inspect = ("docker", "inspect", "--format")
        wait_until(
            lambda: run(*inspect, "{{.RestartCount}}", name).stdout.strip() not in ("", "0"),
            "the broken container is started again",
        )
        health = run(*inspect, "{{.State.Health.Status}}", name).stdout.strip()
        code = run(*inspect, "{{.State.ExitCode}}", name).stdout.strip()
        assert health != "healthy", "a container that can't write is healthy"
        return f"{health}, status {code}"
    finally:
        run("docker", "rm", "--force", name)
