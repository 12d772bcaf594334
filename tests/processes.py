"""What the kernel tells of a running process (proc(5))."""

import re
from pathlib import Path


def rss_kib(pid: int) -> int:
    """Return how much memory a process holds, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no memory")


def peak_rss_kib(pid: int) -> int:
    """Return the most memory that a process has held since `forget_peak_rss`, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no memory")


def forget_peak_rss(pid: int) -> None:
    """Have `peak_rss_kib` count from now."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def open_files(pid: int) -> int:
    """Return how many file descriptors a process holds."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def what_is_open(pid: int, descriptor: int) -> str:
    """Return the path, or what stands for one, of a process's descriptor."""
    return str(Path(f"/proc/{pid}/fd/{descriptor}").readlink())


def cpu_secs(pid: int) -> float:
    """Return how long a process has computed, in seconds (to a hundredth)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def wake_ups(pid: int) -> int:
    """Return how often the threads of a process have woken up so far.

    Each time they had nothing more to do before, a voluntary context switch; being interrupted by
    somebody else is not counted.
    """
    statuses = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status")]
    counts = re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", "".join(statuses), re.MULTILINE)
    return sum(map(int, counts))
