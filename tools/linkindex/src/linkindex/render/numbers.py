"""Numbers as text: rounded from the exact decimal value of the float, half to even, and never a negative zero."""

from decimal import ROUND_HALF_EVEN, ROUND_UP, Context, Decimal
from math import isfinite, isinf

_WIDE = Context(prec=800)                                # holds every float64 to any number of decimals shown here


def fixed(x: float, decimals: int) -> str:
    """``x`` with exactly ``decimals`` decimals: 0.5 -> "0.50"; whole numbers of an integer type stay as they are."""
    if isinstance(x, int):
        return str(x)
    if not isfinite(x):
        return _not_finite(x)
    rounded = Decimal(x).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN, _WIDE)
    return f"{abs(rounded) if rounded.is_zero() else rounded:f}"


def strip(x: float, decimals: int) -> str:
    """``x`` with up to ``decimals`` decimals, without trailing zeros: 0.5 -> "0.5", 2.0 -> "2"."""
    text = fixed(x, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(x: float) -> str:
    """The shortest text that reads back as the same number; what a machine reads beside the rounded text."""
    return repr(x)


def bound(x: float) -> str:
    """An upper bound of the magnitude ``x`` with one significant digit: 3.1e-12 -> "4e-12". Zero stays "0"."""
    if not isfinite(x):
        return _not_finite(x)
    size = abs(Decimal(x))
    if size.is_zero():
        return "0"
    up = size.quantize(Decimal(1).scaleb(size.adjusted()), ROUND_UP, _WIDE)
    exponent = up.adjusted()
    digit = up.scaleb(-exponent, _WIDE).to_integral_value()
    return f"{digit}e{exponent}" if exponent < -4 or exponent > 5 else f"{up.normalize(_WIDE):f}"


def _not_finite(x: float) -> str:
    if isinf(x):
        return "−∞" if x < 0 else "∞"
    return "not a number"
