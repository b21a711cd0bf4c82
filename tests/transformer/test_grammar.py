"""The grammar of the language corpus: what it writes and what it accepts."""

import random
import re

import pytest

from transformer import tokenizer
from transformer.data import grammar
from transformer.files import sha256

# The shipped language model was trained on this text; another hash means another corpus, and another model.
CORPUS_SHA256 = "2f738a0c093aef8e3af808c0faa31bf7cda10c222bf8c0a8cf7733e712214db7"


@pytest.fixture(scope="module")
def lines():
    return grammar.corpus().splitlines()


def words_of(symbol):
    """All words that can stand for a symbol."""
    if symbol not in grammar.RULES:
        return {symbol}
    return {word for _, symbols in grammar.RULES[symbol] for part in symbols for word in words_of(part)}


def test_the_corpus_is_the_same_on_every_machine():
    assert sha256(grammar.corpus().encode()) == CORPUS_SHA256


def test_the_corpus_has_a_few_thousand_different_sentences_in_100_to_200_kB(lines):
    assert len(lines) == len(set(lines)) == 3000
    assert 100_000 < len("\n".join(lines)) < 200_000


def test_the_line_end_is_a_token_of_its_own():
    """So that it can end the writing of a sentence: no merge takes it in."""
    text = grammar.corpus(500)
    ids = tokenizer.encode(text, tokenizer.train(text, 300))
    assert ids.count(ord("\n")) == 500 and ids[-1] == ord("\n")


def test_another_seed_writes_other_sentences(lines):
    other = grammar.corpus(200, random.Random(1)).splitlines()
    assert len(set(other) & set(lines)) < 40


def test_every_rule_and_every_word_is_used(lines):
    text = " " + re.sub("[.,]", "", " ".join(lines)).lower() + " "
    reachable, waiting = set(), ["sentence"]
    while waiting:
        symbol = waiting.pop()
        if symbol not in reachable:
            reachable.add(symbol)
            waiting += [part for _, symbols in grammar.RULES.get(symbol, []) for part in symbols]
    assert grammar.RULES.keys() <= reachable
    words = sorted(reachable - grammar.RULES.keys() - {".", ","})
    assert [word for word in words if f" {word.lower()} " not in text] == []


def test_a_symbol_that_looks_like_a_rule_is_one():
    """A misspelt name of a rule would come out as a word."""
    symbols = {part for alternatives in grammar.RULES.values() for _, symbols in alternatives for part in symbols}
    assert [symbol for symbol in symbols if "." in symbol[:-1] and symbol not in grammar.RULES] == []


def test_singular_and_plural_are_the_same_verbs_in_two_forms():
    for kind in ("moves", "uses", "meets", "thinks"):
        one, many = ([symbols[0] for _, symbols in grammar.RULES[f"{kind}.{number}"]] for number in ("one", "many"))
        assert [re.sub("ies$", "ys", verb).removesuffix("s") for verb in one] == many


def test_an_article_fits_the_sound_of_the_next_word(lines):
    """The sound, not the letter: an honest fox."""
    after = re.findall(r"\b([Aa]n?) (\w+)", "\n".join(lines))
    assert {article.lower() for article, _ in after} == {"a", "an"}
    assert ("an", "honest") in after
    assert [pair for pair in after if (pair[0].lower() == "an") != (pair[1][0] in "aeiou" or pair[1] == "honest")] == []


def test_every_written_sentence_is_accepted(lines):
    assert [line for line in lines[:800] if not grammar.belongs(line)] == []


@pytest.mark.parametrize("line", [
    "The dogs that the child sees sleep.",
    "The dog that the children see sleeps.",
    "Ada and Ben do not carry an umbrella.",
    "When a cat sleeps, Ada is happy.",
    "On cold days, an honest owl near the bridge sings.",
])
def test_a_sentence_of_the_language_is_accepted(line):
    assert grammar.belongs(line)


@pytest.mark.parametrize("line", [
    "The dogs that the child sees sleeps.",    # the subject is plural, the nearer noun singular
    "The dog that the children see sleep.",
    "The dogs that the child see sleep.",
    "Ada and Ben carries the lamp.",
    "A owl sleeps.",
    "An cat sleeps.",
    "An young cat sleeps.",
    "Ada sleeps",                              # no full stop
    "ada sleeps.",
    "the cat sleeps.",
    "Ada sleeps .",
    "Ada  sleeps.",
    "Ada sleeps.\n",
    "Ada sees the lamp.",                      # the verb takes people
    "Ada is.",
    "Ada sleeps. Ben waits.",
    "",
])
def test_a_line_that_breaks_a_rule_is_refused(line):
    assert not grammar.belongs(line)


def test_one_changed_verb_is_noticed(lines):
    """In a sentence with one verb, the verb of the other number is a fault, wherever it stands."""
    swap = {}
    for kind in ("moves", "uses", "meets"):
        for (_, one), (_, many) in zip(grammar.RULES[f"{kind}.one"], grammar.RULES[f"{kind}.many"]):
            swap |= {one[0]: many[0], many[0]: one[0]}
    swap |= {"is": "are", "are": "is"}
    changed = 0
    for line in lines[:400]:
        words = re.findall(r"\w+|[.,]", line)
        verbs = [i for i, word in enumerate(words) if word in swap]
        if len(verbs) == 1 and "not" not in words:
            words[verbs[0]] = swap[words[verbs[0]]]
            assert not grammar.belongs(grammar.render(words)), grammar.render(words)
            changed += 1
    assert changed > 100


def test_weights_are_how_often_an_alternative_is_drawn():
    """3 of 4 drawn numbers fall to the first alternative; both ends of the interval have one."""
    rng = random.Random(0)
    drawn = [grammar.expand("quality", rng)[0] for _ in range(3000)]
    share = sum(word in words_of("quality.c") for word in drawn) / len(drawn)
    assert abs(share - 2 / 3) < 5 * (2 / 9 / 3000) ** 0.5


def test_rules_are_read_from_lines():
    text = "a -> 2 b c | d\n     | e\nx.# -> y.# | z\n"
    assert grammar.read_grammar(text) == {
        "a": [(2, ("b", "c")), (1, ("d",)), (1, ("e",))],
        "x.one": [(1, ("y.one",)), (1, ("z",))], "x.many": [(1, ("y.many",)), (1, ("z",))],
    }
