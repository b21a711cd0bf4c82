"""Results that are computed once for equal arguments: definitions are slow loops, and many tests ask them the same."""

import pickle
from functools import wraps


def once(definition):
    """The definition, which must depend on its arguments alone. Everyone who asks gets a result of his own."""
    answers: dict[bytes, bytes] = {}

    @wraps(definition)
    def answer(*arguments):
        asked = pickle.dumps(arguments)
        if asked not in answers:
            answers[asked] = pickle.dumps(definition(*arguments))
        return pickle.loads(answers[asked])

    return answer
