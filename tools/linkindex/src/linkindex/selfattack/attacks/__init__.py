"""All attacks, by what they attack."""

from linkindex.selfattack.attacks import cache, code, examples, formulas, html, lock, pages, records, tests
from linkindex.selfattack.model import Attack

ATTACKS: tuple[Attack, ...] = tuple(
    attack for module in (code, records, formulas, tests, examples, pages, lock, html, cache) for attack in module.ATTACKS
)
