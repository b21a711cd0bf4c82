"""The step ``resolved``: code and test were found, each once. What is missing was noted where it was looked for."""

from linkindex.evidence.subject import Outcome, Subject
from linkindex.model import Step


def check(subject: Subject) -> Outcome:
    if not subject.links:
        return Step(False, "its code was not found"), []
    if subject.equation.id not in subject.resolution.tests:
        return Step(False, "its test was not found"), []
    return Step(True), []
