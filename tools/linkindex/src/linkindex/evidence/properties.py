"""A property as a claim that can be looked at on other runs of its example, such as those with a mutant in place."""

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import replace

from linkindex.evidence.agreement import reading_of
from linkindex.evidence.subject import Subject
from linkindex.evidence.trials import trials_of
from linkindex.formula.operators import Operator
from linkindex.formula.prove import holds
from linkindex.model import ExampleRun
from linkindex.mutants.properties import Claim


def claim(subject: Subject, operators: Mapping[str, Operator]) -> Claim:
    symbols = [subject.symbols[latex] for latex in subject.formula.symbols]
    reading = reading_of(subject, operators)
    shapes = [subject.shape(symbol.latex) for symbol in symbols]

    def on(runs: tuple[ExampleRun, ...]) -> bool:
        seen = replace(subject, runs=replace(subject.runs, examples={subject.page.stem: runs}))
        extreme = [run for run in seen.all_runs if run.is_extreme]
        return holds(subject.formula, tuple(trials_of(seen)), reading, tuple(trials_of(seen, extreme)))

    return Claim(
        page=subject.page.stem,
        codes=tuple(sorted({code for symbol in symbols for code in symbol.codes})),
        digest=hashlib.sha256(pickle.dumps((subject.formula, reading, shapes))).hexdigest(),
        holds=on,
    )
