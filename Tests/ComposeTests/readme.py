"""The commands of README.md's section on containers, as a reader would run them."""

import re
import time

from stack import PACKAGE, run


def commands():
    """Each command of the section's shell blocks, in order."""
    text = (PACKAGE / "README.md").read_text()
    (section,) = re.findall(r"^## In containers\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert blocks, "README.md's section has no commands"
    return [line for line in "".join(blocks).splitlines() if line]


def run_all(environment):
    """Runs them, and tells how long each took."""
    times = []
    for command in commands():
        begun = time.monotonic()
        run("bash", "-euo", "pipefail", "-c", command, cwd=PACKAGE, env=environment)
        times.append((command, time.monotonic() - begun))
    return times
