"""Numbers as text: rounded from the exact decimal value of the float, half to even, and never a negative zero. What
would be shown as 0 and is not is shown with significant digits."""

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_EVEN, ROUND_UP, Context, Decimal
from math import isfinite, isinf

_WIDE = Context(prec=800)                                # holds every float64 to any number of decimals shown here
_DIGITS = 3                                              # of what is smaller than the decimals show
_PLAIN = -4                                              # the least power of ten that is written as decimals

Format = Callable[[float, int], str]


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


def together(numbers: Iterable[float], decimals: int, format_number: Format = strip) -> Callable[[float], str]:
    """How to show numbers that stand side by side: with ``decimals``; but where each of them would be 0 so, and one of
    them is not, in the power of ten of the largest. An entry that is far smaller than others stays 0."""
    largest = max((abs(x) for x in numbers if isfinite(x)), default=0)
    if not largest or float(format_number(largest, decimals)):
        return lambda x: format_number(x, decimals)
    power = Context(prec=_DIGITS).create_decimal(largest).adjusted()
    if power >= _PLAIN:
        return lambda x: format_number(x, _DIGITS - 1 - power)

    def scaled(x: float) -> str:
        text = format_number(Decimal(x).scaleb(-power, _WIDE), _DIGITS - 1)
        return f"{text}e{power}" if isfinite(x) and float(text) else text

    return scaled


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
