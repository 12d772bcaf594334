"""Why a program could not be run."""


class ProgramError(Exception):
    """A program is missing, is not safe to run, or could not be started; one line says which."""
