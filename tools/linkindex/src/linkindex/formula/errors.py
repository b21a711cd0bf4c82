"""The two ways in which a formula is refused."""


class FormulaError(Exception):
    """The formula as written breaks a rule of the notation. ``offset``: 0-based, in characters of its LaTeX."""

    def __init__(self, offset: int, message: str):
        super().__init__(message)
        self.offset = offset
        self.message = message


class EvaluationError(Exception):
    """The formula is well written, but has no value: shapes that do not fit, an index out of its range, ...

    ``span``: start and end of the part that has no value, as offsets in the formula's LaTeX.
    """

    def __init__(self, message: str, span: tuple[int, int] = (0, 0)):
        super().__init__(message)
        self.message = message
        self.span = span
