"""The vocabulary: the plain data that the stages hand on, a file for what each of them gives.

load -> resolve -> run -> evidence -> render -> verify. Everything here is frozen; nothing here computes anything but
views of its own fields. Lines and columns are 1-based and count characters; an end line is inclusive, an end column is
one past the last character.
"""

from linkindex.model.config import Config
from linkindex.model.evidence import NOT_RUN, STEPS, Evidence, Proof, Step, SymbolRow
from linkindex.model.findings import Finding, Place
from linkindex.model.index import Index
from linkindex.model.lock import LockEntry
from linkindex.model.mutants import Effect, Mutant, Verdict
from linkindex.model.pages import DRAFTS, Concept, Directive, Page, Prose
from linkindex.model.records import CodeName, Equation, Record, Statement, Symbol
from linkindex.model.resolution import (
    CLIPPED, LARGEST, MAGNITUDES, RETURNED, SMALLEST, Call, Choice, Function, Link, Mention, Resolution, Span, Stored,
    TestPlace, key_of,
)  # fmt: skip
from linkindex.model.runs import Called, ExampleRun, Runs, TestRun, Visit
from linkindex.model.values import Held, Summary, Value

__all__ = [
    "CLIPPED", "Call", "Called", "Choice", "CodeName", "Concept", "Config", "DRAFTS", "Directive", "Effect",
    "Equation", "Evidence", "ExampleRun", "Finding", "Function", "Held", "Index", "LARGEST", "Link",
    "LockEntry", "MAGNITUDES", "Mention", "Mutant", "NOT_RUN", "Page", "Place", "Proof", "Prose", "RETURNED",
    "Record", "Resolution", "Runs", "SMALLEST", "STEPS", "Span", "Statement", "Step", "Stored", "Summary",
    "Symbol", "SymbolRow", "TestPlace", "TestRun", "Value", "Verdict", "Visit", "key_of",
]  # fmt: skip
