"""Documentation checked against the code it documents: a link index from equations to code, tests and examples."""

__version__ = "0.1.0"
