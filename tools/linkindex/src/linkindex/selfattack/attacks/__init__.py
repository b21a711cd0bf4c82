"""All attacks, by what they attack."""

from linkindex.selfattack.attacks import cache, code, examples, formulas, html, lock, pages, records, symbols, tests
from linkindex.selfattack.model import Attack

MODULES = (code, records, symbols, formulas, tests, examples, pages, lock, html, cache)
ATTACKS: tuple[Attack, ...] = tuple(attack for module in MODULES for attack in module.ATTACKS)
