"""Time and peak memory of a process, and peak memory of this one."""

import subprocess
import time
from pathlib import Path


def measure(command):
    """Seconds from start to end of a command, and its peak memory in KiB; None if it fails.

    GNU time starts it: the peak of a child of Python would include Python's own memory.
    """
    start = time.perf_counter()
    run = subprocess.run(
        ["/usr/bin/time", "-f", "%M", *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    seconds = time.perf_counter() - start
    return None if run.returncode else (seconds, int(run.stderr.splitlines()[-1]))


def peak_memory():
    """Peak memory of this process so far, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
