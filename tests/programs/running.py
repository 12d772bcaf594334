"""Running a program as the daemon would, with little to say about it."""

from antidriftd.programs.process import Outcome, run_program

ENVIRON = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


async def run(
    program: str,
    *arguments: str,
    prompt: bytes = b"",
    timeout_secs: float = 60,
    environ: dict[str, str] = ENVIRON,
    files: dict[str, str] | None = None,
) -> Outcome:
    return await run_program(
        [program, *arguments],
        prompt=prompt,
        timeout_secs=timeout_secs,
        environ=environ,
        files=files,
    )
