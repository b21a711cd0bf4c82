"""What can be trained, one file a task.

Each has the same names: the functions configuration, recipe, sizes, initial and writing; CONFIGURATION and SMALL; HELP,
a line for the command line; TEMPERATURE, where the user names none; SAMPLE, a text that the model can answer.
"""

from transformer.recipes import language, reversal

TASKS = {"reversal": reversal, "language": language}
