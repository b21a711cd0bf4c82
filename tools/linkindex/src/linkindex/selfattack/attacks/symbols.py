"""Faults in the registry of symbols."""

from collections.abc import Callable

from linkindex.model import Equation, Page, Symbol
from linkindex.selfattack.model import CHECK, FAST, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.targets import written_in
from linkindex.selfattack.yamltext import key_line, quoted, with_value, without


def unregistered_symbol(project: Pristine) -> Plan:
    registry = f"{project.docs}/symbols.yml"

    def plan(target: tuple[Page, str]) -> Plan:
        page, latex = target
        symbol = next(symbol for symbol in page.notation if symbol.latex == latex)
        new = without(project.text(registry), latex)
        return Plan({registry: new.encode()}, expect("LI108", symbol.place.path, symbol.place.line))

    targets = [(page, symbol.latex) for page in project.index.pages for symbol in page.notation]
    return first(targets, plan, "no symbol of the registry has a line of its own")


def symbol_without_its_variable(project: Pristine) -> Plan:
    registry = f"{project.docs}/symbols.yml"
    targets = {latex for formula in project.resolution.formulas.values() for latex in formula.target}
    registered = {symbol.latex: symbol for symbol in project.index.symbols}

    def plan(target: tuple[Equation, str]) -> Plan | None:
        equation, latex = target
        symbol = registered.get(latex)
        if latex in targets or symbol is None or not (symbol.code or "").isidentifier() or symbol.size:
            return None
        new = with_value(project.text(registry), f"{symbol.code}_planted", latex, "code")
        return Plan({registry: new.encode()}, expect("LI406", equation.place.path, written_in(equation, "latex")))

    formulas = project.resolution.formulas
    used = [(equation, latex) for equation in project.index.equations for latex in formulas[equation.id].symbols]
    return first(used, plan, "every symbol of the formulas is computed")


def two_symbols_of_one_variable(project: Pristine) -> Plan:
    registry = f"{project.docs}/symbols.yml"
    registered = {symbol.latex: symbol for symbol in project.index.symbols}

    def plan(equation: Equation) -> Plan | None:
        formula = project.resolution.formulas[equation.id]
        inputs = [registered[latex] for latex in formula.symbols if latex not in formula.target and latex in registered]
        plain = [symbol for symbol in inputs if symbol.code and not symbol.size]
        if len(plain) < 2:
            return None
        new = with_value(project.text(registry), quoted(plain[0].code), plain[1].latex, "code")
        return Plan({registry: new.encode()}, expect("LI501", equation.place.path, written_in(equation, "latex")))

    return first(project.index.equations, plan, "no formula has two symbols that are not computed")


def registered(code: str, key: str, value: str) -> Callable[[Pristine], Plan]:
    """Another value of a key of the first symbol that has it, reported there."""

    def attack(project: Pristine) -> Plan:
        registry = f"{project.docs}/symbols.yml"

        def plan(symbol: Symbol) -> Plan | None:
            if not getattr(symbol, key):
                return None
            new = with_value(project.text(registry), value, symbol.latex, key)
            return Plan({registry: new.encode()}, expect(code, registry, key_line(new, symbol.latex, key)))

        return first(project.index.symbols, plan, f"no symbol of the registry has a {key} on a line of its own")

    return attack


def spelt_in_two_ways(project: Pristine) -> Plan:
    """A second entry that formulas cannot tell from the first, because a blank is no part of a name."""
    registry = f"{project.docs}/symbols.yml"
    text = project.text(registry).rstrip("\n") + "\n"
    new = f"{text}{quoted(project.index.symbols[0].latex + ' ')}: {{code: planted, meaning: planted, shape: ()}}\n"
    return Plan({registry: new.encode()}, expect("LI125", registry, new.count("\n")))


def emptied(project: Pristine) -> Plan:
    registry = f"{project.docs}/symbols.yml"
    return Plan({registry: b""}, expect("LI124", registry, 1))


ATTACKS = (
    Attack("symbols: none", FAST, emptied),
    Attack("symbols: a size that is no arithmetic", FAST, registered("LI122", "size", "'2 *'")),
    Attack("symbols: code that is no expression", FAST, registered("LI123", "code", "'planted['")),
    Attack("symbols: one that is spelt in two ways", FAST, spelt_in_two_ways),
    Attack("symbols: one that is not registered", FAST, unregistered_symbol),
    Attack("symbols: one whose variable is nowhere", CHECK, symbol_without_its_variable),
    Attack("symbols: two for one variable", FAST, two_symbols_of_one_variable),
)
