"""The numbers that the page "Attention" prints, one by one (tests/data/README.md)."""

import json
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
ATTENTION = json.loads((DATA / "attention_page_numbers.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Printed:
    """One number as printed. ``index`` picks it from the value of ``ref``, which may carry indices of its own."""

    section: str
    kind: str                                            # table, worked, row sum, masked cells, formula, measured,
                                                         # legend
    ref: str
    index: tuple[int, ...]
    text: str
    decimals: int
    d_h: int | None = None                               # the head width it belongs to, where that is not the example's

    @property
    def value(self) -> float:
        return float(self.text)

    def matches(self, value: float) -> bool:
        """Within half a unit of the last decimal; infinities must be equal."""
        if self.value in (float("inf"), float("-inf")):
            return value == self.value
        return abs(value - self.value) <= 0.5 * 10.0 ** -self.decimals * (1 + 1e-9)


def attention_page_numbers() -> list[Printed]:
    """All 906 numbers, in the order of tables, worked examples, row sums and gradients."""
    numbers = []
    for table in ATTENTION["tables"]:
        numbers += _matrix(table["section"], "table", table["ref"], table["printed"], table["decimals"])
    for worked in ATTENTION["worked"]:
        numbers.append(Printed(worked["section"], "worked", worked["ref"], (), worked["printed"], worked["decimals"],
                               worked.get("d_h")))
    sums = ATTENTION["row_sums"]
    for row, printed in enumerate(sums["rows"]):
        numbers.append(Printed(sums["section"], "row sum", sums["ref"], (row,), printed["sum"], sums["decimals"]))
        numbers.append(Printed(sums["section"], "masked cells", sums["ref"], (row,), str(printed["masked_cells"]), 0))
    section = ATTENTION["comparisons"]["section"]
    for row in ATTENTION["comparisons"]["rows"]:
        for kind in ("formula", "measured"):
            numbers += _matrix(section, kind, row[kind], row["printed_" + kind], row["decimals"])
    return numbers


def attention_page_legends() -> list[Printed]:
    """The low and the high end of each legend; index 0 is the low end, 1 the high one."""
    return [Printed(table["section"], "legend", table["ref"], (end,), table["legend"][name], table["decimals"])
            for table in ATTENTION["tables"] if "legend" in table for end, name in enumerate(("low", "high"))]


def _matrix(section: str, kind: str, ref: str, printed: list[list[str]], decimals: int) -> list[Printed]:
    return [Printed(section, kind, ref, (i, j), text, decimals)
            for i, row in enumerate(printed) for j, text in enumerate(row)]
