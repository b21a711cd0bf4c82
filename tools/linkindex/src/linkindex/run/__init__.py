"""Third stage: run the examples and the linked tests, once, with probes in the linked expressions.

The project's code runs in child processes: it can crash, hang or change global state without harm to the check. They
import parts of this package, so that nothing is imported here.
"""
