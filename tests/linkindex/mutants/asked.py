"""What mutants do, asked of the workers as a check asks it."""

from linkindex.mutants.effects import ask_effects
from linkindex.mutants.plan import spans_of
from linkindex.mutants.run import ask_verdicts
from linkindex.run.dependencies import Dependencies


def run_mutants(index, targets):
    """The verdicts by equation, and findings."""
    return ask_verdicts(index, targets, Dependencies(index.config, spans_of(targets))).answer()


def run_effects(index, targets):
    """The effects by equation, in the order of its mutants, and findings."""
    return ask_effects(index, targets, Dependencies(index.config, spans_of(targets))).answer()
