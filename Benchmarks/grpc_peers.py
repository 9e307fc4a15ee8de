"""The echo servers and clients of `grpc-peers` and `echo-benchmark`, and how they are called."""

import shlex
import subprocess

from processes import ROOT, need, run, running

SOURCES = ROOT / "Benchmarks/grpc-peers"
FOLDER = ROOT / ".build/benchmarks/grpc"
OURS = ROOT / ".build/release/echo-benchmark"


def build():
    """Compiles what has changed of C++'s side, and makes sure of ours."""
    need(OURS, "swift build -c release --static-swift-stdlib --product echo-benchmark")
    FOLDER.mkdir(parents=True, exist_ok=True)
    flags = shlex.split(
        run("pkg-config", "--cflags", "--libs", "grpc++", "protobuf", capture_output=True).stdout)
    generated = []
    for proto in [SOURCES / "echo.proto", SOURCES / "schedule.proto"]:
        generated += [FOLDER / f"{proto.stem}.pb.cc", FOLDER / f"{proto.stem}.grpc.pb.cc"]
        if is_stale(generated[-1], proto):
            run("/usr/bin/protoc", f"-I{SOURCES}", f"--cpp_out={FOLDER}", f"--grpc_out={FOLDER}",
                "--plugin=protoc-gen-grpc=/usr/bin/grpc_cpp_plugin", proto)
    for name, others in [("server", generated), ("client", [])]:
        source = SOURCES / f"{name}.cpp"
        if is_stale(FOLDER / name, source, *others):
            run("g++", "-std=c++20", "-O2", f"-I{FOLDER}", source, *others, "-o", FOLDER / name,
                *flags)
    for source, flags in [(SOURCES / "ping-pong.c", []),
                          (ROOT / "Benchmarks/count-allocations.c", ["-shared", "-fPIC"])]:
        if is_stale(FOLDER / source.stem, source):
            run("gcc", "-O2", *flags, source, "-o", FOLDER / source.stem)


def is_stale(product, *sources):
    return not product.exists() or any(
        source.stat().st_mtime > product.stat().st_mtime for source in sources)


def ours(at, **options):
    """Our echo server at a path or port, on one event loop."""
    return running(OURS, "serve", "--listen", target(at), "--event-loops", 1, at=at, **options)


def cpp(at):
    """C++ gRPC's echo server."""
    return running(FOLDER / "server", f"unix:{at}" if isinstance(at, str) else f"127.0.0.1:{at}",
                   at=at)


def target(at):
    return f"unix:{at}" if isinstance(at, str) else f"ipv4:127.0.0.1:{at}"


class Caller:
    """A client that makes a round of calls whenever it is asked to."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)

    def round(self):
        """The round's seconds and the median of the microseconds of a call or a message."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        seconds, microseconds = map(float, self.process.stdout.readline().split())
        return seconds, microseconds

    def close(self):
        self.process.kill()
        self.process.wait()


def our_caller(at, case, concurrency, count, payload):
    return Caller([OURS, "call", "--target", target(at), "--case", case,
                   "--concurrency", concurrency, "--count", count, "--payload", payload])


def cpp_caller(at, case, concurrency, count, payload):
    return Caller([FOLDER / "client", target(at), case, concurrency, count, payload])


def floor_caller(count, request, response):
    """What a round trip takes at the least."""
    return Caller([FOLDER / "ping-pong", count, request, response])
