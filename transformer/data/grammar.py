"""A small English-like language: a grammar that writes a corpus, and that can tell whether a sentence belongs to it.

All text comes from the rules below. Subject and verb agree in number, also across a relative clause; "a" and "an"
follow the sound of the next word; a verb takes the kind of object that suits it. So a model has something to learn that
can be checked: ``belongs`` says of any line whether the rules could have written it.
"""

import random
import re

# One rule a line: a name, "->", and alternatives between "|", each with a weight (1 unless given) and its symbols. A
# symbol that is the name of a rule stands for it; any other is a word. A line with "#" is read twice, with "one" and
# with "many" for "#": that is how the parts of a sentence agree. A line that begins with "|" continues the rule above
# it. No rule begins with itself.
GRAMMAR = """
sentence     -> 6 clause . | 2 clause , link clause . | 2 time , clause . | 1 moment clause , clause .
clause       -> being.one action.one | being.many action.many
link         -> and | but | so
time         -> today | at noon | in the morning | every evening | after the storm | on cold days
moment       -> when | before | after | because

being.one    -> 3 name | 5 someone.one | 1 someone.one relative.one | 1 someone.one place
being.many   -> 1 couple | 5 someone.many | 1 someone.many relative.many | 1 someone.many place
someone.one  -> 4 the person.one | 2 the quality person.one | 2 a soft | 2 an vowel | 1 every person.one
someone.many -> 4 the person.many | 2 the quality person.many | 2 number person.many | 1 number quality person.many
soft         -> 2 person.c | 1 quality.c person.one
vowel        -> 2 person.v | 1 quality.v person.one
relative.#   -> 2 that short.# | 1 that someone.one meets.one | 1 that someone.many meets.many

action.one   -> 6 short.one | 1 thinks.one that clause | 1 does not bare | 1 is state because clause
action.many  -> 6 short.many | 1 thinks.many that clause | 1 do not bare | 1 are state because clause
short.one    -> 3 moves.one | 2 moves.one manner | 2 moves.one place | 4 uses.one object | 1 uses.one object place
             | 3 meets.one other | 2 is state
short.many   -> 3 moves.many | 2 moves.many manner | 2 moves.many place | 4 uses.many object | 1 uses.many object place
             | 3 meets.many other | 2 are state
bare         -> 2 moves.many | 1 moves.many place | 2 uses.many object | 2 meets.many other
other        -> 2 name | 3 someone.one | 3 someone.many
object       -> 3 the thing | 2 the colour thing | 2 a thing.c | 2 an thing.v | 1 a colour.c thing
             | 2 number things | 1 the colour things
place        -> 4 in the room | 2 near the spot | 1 behind the spot | 1 beyond the spot

name         -> Ada | Ben | Clara | David | Emma | Omar | Nina | Tom
couple       -> Ada and Ben | Clara and David | Emma and Omar | Nina and Tom
person.one   -> 5 person.c | 2 person.v
person.c     -> teacher | sailor | child | baker | doctor | farmer | gardener | cat | dog | fox
person.v     -> artist | engineer | owl | otter
person.many  -> teachers | sailors | children | bakers | doctors | farmers | gardeners | cats
             | dogs | foxes | artists | engineers | owls | otters
quality      -> 2 quality.c | 1 quality.v
quality.c    -> young | brave | clever | gentle | small | curious
quality.v    -> old | eager | honest
number       -> two | three | some | many
state        -> happy | tired | hungry | ready | quiet | late | proud
manner       -> quietly | slowly | again | often | with joy

moves.one    -> sleeps | sings | waits | walks | dances | rests | swims | laughs
moves.many   -> sleep | sing | wait | walk | dance | rest | swim | laugh
uses.one     -> carries | finds | paints | hides | cleans | repairs | wants
uses.many    -> carry | find | paint | hide | clean | repair | want
meets.one    -> sees | helps | follows | greets | hears | visits | thanks
meets.many   -> see | help | follow | greet | hear | visit | thank
thinks.one   -> thinks | knows | hopes | says
thinks.many  -> think | know | hope | say

thing        -> 5 thing.c | 3 thing.v
thing.c      -> basket | letter | lamp | map | book | boat | kettle | drum
thing.v      -> apple | umbrella | engine | oar
things       -> baskets | letters | lamps | maps | books | boats | kettles | drums | apples | umbrellas | engines | oars
colour       -> 4 colour.c | 1 orange
colour.c     -> red | blue | green | yellow | white
room         -> garden | market | kitchen | school | harbour | forest | orchard
spot         -> 7 room | river | hill | bridge
"""

SENTENCES, SEED = 3000, 0


def read_grammar(text):
    """Rules as a dict: name -> list of (weight, symbols), from lines as in GRAMMAR."""
    rules = {}
    for line in filter(None, re.sub(r"\n +\|", " |", text).split("\n")):
        for number in ("one", "many") if "#" in line else ("",):
            name, alternatives = line.replace("#", number).split("->")
            rules[name.strip()] = [_alternative(part.split()) for part in alternatives.split("|")]
    return rules


def _alternative(words):
    return (int(words[0]), tuple(words[1:])) if words[0].isdigit() else (1, tuple(words))


RULES = read_grammar(GRAMMAR)


def corpus(sentences=SENTENCES, rng=None):
    """A text of so many different sentences, one a line: the line end, a token of its own, is where a model can stop.

    rng: anything whose ``random()`` draws evenly from [0, 1). Unless given, it is Python's own generator with seed 0,
    whose stream, unlike that of a numpy Generator, is promised to stay the same in later versions.
    """
    rng = random.Random(SEED) if rng is None else rng
    lines = {}  # a dict, for its order
    while len(lines) < sentences:
        lines[render(expand("sentence", rng))] = None
    return "".join(line + "\n" for line in lines)


def expand(symbol, rng):
    """The words of a symbol, a list: an alternative is drawn by weight, and its symbols are expanded in turn."""
    if symbol not in RULES:
        return [symbol]
    alternatives = RULES[symbol]
    rest = rng.random() * sum(weight for weight, _ in alternatives)
    for weight, symbols in alternatives:
        rest -= weight
        if rest < 0:
            break
    return [word for part in symbols for word in expand(part, rng)]


def render(words):
    """A sentence as it is written: a capital first, no blank before a comma or a full stop."""
    line = re.sub(r" ([,.])", r"\1", " ".join(words))
    return line[:1].upper() + line[1:]


def belongs(line):
    """Whether the grammar could have written this line (without its line end)."""
    words = re.findall(r"[A-Za-z]+|[,.]", line)
    if render(words) != line or not words:
        return False
    return any(len(words) in _ends("sentence", (first, *words[1:]), 0, {})
               for first in {words[0], words[0][0].lower() + words[0][1:]})


def _ends(symbol, words, start, known):
    """Where a symbol that begins at ``start`` can end: the set of all places. known: answers so far."""
    if symbol not in RULES:
        return {start + 1} if start < len(words) and words[start] == symbol else set()
    if (symbol, start) not in known:
        found = set()
        for _, symbols in RULES[symbol]:
            places = {start}
            for part in symbols:
                places = {end for place in places for end in _ends(part, words, place, known)}
            found |= places
        known[symbol, start] = found
    return known[symbol, start]
