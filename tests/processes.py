"""What the kernel tells of a running process (proc(5))."""

from contextlib import suppress
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
    """Return how often the threads that a process has now have woken up so far.

    Each time they had nothing more to do before, a voluntary context switch; being interrupted by
    somebody else is not counted.
    """
    return sum(wake_ups_by_thread(pid).values())


def wake_ups_by_thread(pid: int) -> dict[int, int]:
    """Return the wake-ups of each thread of a process, by its number."""
    found = {}
    for path in Path(f"/proc/{pid}/task").glob("*/status"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            status = path.read_text()
            count = status.partition("\nvoluntary_ctxt_switches:")[2].split()[0]
            found[int(path.parent.name)] = int(count)
    return found
