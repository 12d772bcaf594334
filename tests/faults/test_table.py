"""The table of faults."""

from tests.faults import table
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


def test_a_marked_test_is_a_run_and_its_failure_a_violation_or_a_missed_control() -> None:
    plain = table.to_property(table.marked("F1", "what"))
    of_control = table.to_property(table.marked("F1", "what", is_control=True))

    assert table.judged(plain, failed=False) == plain
    assert table.judged(plain, failed=True)["violations"] == 1
    assert table.judged(of_control, failed=False)["control"] == "caught"
    assert table.judged(of_control, failed=True)["control"] == "missed"
