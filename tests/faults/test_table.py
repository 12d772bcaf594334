"""The table of faults."""

from tests.faults.table import Fault, rows, to_property


def test_without_faults_there_is_no_table() -> None:
    assert rows([]) == []


def test_parts_of_one_fault_are_one_row_and_a_missed_control_shows() -> None:
    told = [
        Fault("F12", "two daemons", 20, 0, "caught"),
        Fault("F2", "killed at a store call", 60, 0),
        Fault("F2", "killed at a store call", 4, 1, "missed"),
    ]

    assert rows(map(to_property, told)) == [
        "fault  what                       runs  violations  control",
        "F2     killed at a store call       64           1  missed",
        "F12    two daemons                  20           0  caught",
    ]
