"""Kubernetes' quantities, as contracts/quantity.ts reads them."""

from __future__ import annotations

import re
from fractions import Fraction

from ._manifest_hash import text_of_number

# Digits are those of ASCII: `\d` and `str.isdigit` know others.
_QUANTITY = re.compile(
    r"(?P<sign>[+-]?)(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,3}|)"
)
_DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"]
_BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]


def parse_quantity(value: object) -> Fraction | None:
    """Return the amount of a text or number such as `1500m` or 8; None if it is no quantity."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    found = _QUANTITY.fullmatch(value if isinstance(value, str) else text_of_number(value))
    if found is None:
        return None
    fraction = found["fraction"] or ""
    amount = Fraction(int(found["whole"] + fraction), 10 ** len(fraction)) * _scale_of(found["suffix"])
    return -amount if found["sign"] == "-" else amount


def _scale_of(suffix: str) -> Fraction:
    if suffix in _DECIMAL:
        return Fraction(10) ** (3 * (_DECIMAL.index(suffix) - 3))
    if suffix in _BINARY:
        return Fraction(1024) ** _BINARY.index(suffix)
    return Fraction(10) ** int(suffix[1:])
