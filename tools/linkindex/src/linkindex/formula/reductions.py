"""Sums, products and extremes over an index, and the conditions below them."""

from linkindex.formula.cursor import RELATIONS
from linkindex.formula.expressions import ExpressionParser
from linkindex.formula.syntax import Apply, Bound, Chain, Node, Reduce

REDUCTIONS = {
    "\\sum": "sum", "\\prod": "prod", "\\max": "max", "\\min": "min", "\\arg": "arg", "\\argmax": "argmax",
    "\\argmin": "argmin",
}  # fmt: skip
AFTER_CONDITIONS = ("\\qquad", "\\\\", "\\end")
SUCH_THAT = (":", "\\mid")


class ReductionParser(ExpressionParser):
    """A reduction takes the product that follows, up to +, - or a relation."""

    def arguments(self) -> tuple[Node, ...]:
        raise NotImplementedError

    def bracket(self) -> Node:
        raise NotImplementedError

    def reduction(self, operator: str | None = None, length: int = 1) -> Node:
        start, written = self.start, self.text
        for _ in range(length):
            self.take()
        operator = operator or REDUCTIONS[written]
        if operator == "arg":
            if self.text not in ("\\max", "\\min"):
                raise self.error(f"expected \\max or \\min after \\arg, found {self.found}")
            operator += REDUCTIONS[self.take().text]
        if operator in ("max", "min") and self.text in ("(", "[", "\\{"):
            return Apply(operator, self.arguments(), span=self.span(start))
        if self.text != "_":
            raise self.error(f"{operator} over which index? Write it below, as in \\{operator}_{{j}}")
        self.take()
        letters = self.bound_letters()
        if operator.startswith("arg") and len(letters) > 1:
            raise self.error("\\arg over several indices is no number: write one index below it", start)
        scope = self.bind(letters)
        lower, conditions = self.below(letters, scope)
        upper = self.above(operator) if self.text == "^" else None
        if (lower is None) != (upper is None):
            raise self.error("a limit on one side only: write both, or a condition such as j \\le i below", start)
        self.scopes.append(scope)
        if operator in ("mean", "var") and self.text not in ("(", "["):
            raise self.error(f"expected a bracket, found {self.found}: write \\mathbb{{E}}_i[x_i]")
        body = self.bracket() if operator in ("mean", "var") else self.term()
        self.scopes.pop()
        bounds = tuple(Bound(name, lower, upper) for name in scope.values())
        return Reduce(operator, bounds, conditions, body, span=self.span(start))

    def bound_letters(self) -> list[str]:
        """The letters that the text below introduces: those before its first relation, else the one after it."""
        if self.text != "{":
            return [self.bindable(0)]
        end = self.closing(self.position) - self.position
        relations = [step for step in range(1, end) if self.ahead(step) in RELATIONS]
        if such_that := self.such_that():
            return [self.bindable(step) for step in range(1, such_that) if self.ahead(step) != ","]
        first = relations[0] if relations else end
        steps = [step for step in range(1, first) if self.ahead(step) != ","]
        if relations and (len(steps) != 1 or not self.is_bare_letter(1)) and self.ahead(2) not in ("=", "\\in"):
            steps = [first + 1]  # 0 \le j < n
        return [self.bindable(step) for step in steps]

    def such_that(self) -> int | None:
        r"""How far away the mark in ``\sum_{t:\, y_t \ne 0}`` is, from the brace before it."""
        depth = 0
        for step in range(1, self.closing(self.position) - self.position):
            depth += {"\\{": 1, "\\}": -1}.get(self.ahead(step), 0)
            if not depth and self.ahead(step) in SUCH_THAT:
                return step
        return None

    def bindable(self, step: int) -> str:
        if self.is_bare_letter(step):
            return self.ahead(step)
        token = self.tokens[min(self.position + step, len(self.tokens) - 1)]
        found = self.notation.match(self.tokens, self.position + step)
        if found:
            raise self.error(
                f"{token.text} is in the page's notation, so it cannot run: choose another letter", token.start
            )
        raise self.error(f"expected the running index, a bare letter, found {token.text}", token.start)

    def below(self, letters: list[str], scope: dict[str, str]) -> tuple[Node | None, tuple[Chain, ...]]:
        """The lower limit and the conditions; the bound letters are known in the conditions."""
        such_that = self.such_that() if self.text == "{" else None
        if not self.accept("{"):
            self.take()
            return None, ()
        lower, conditions = None, ()
        if such_that:
            for _ in range(such_that):
                self.take()
            self.scopes.append(scope)
            conditions = self.conditions()
            self.scopes.pop()
        elif self.ahead(1) == "=" and self.is_bare_letter():
            self.take()
            self.take()
            lower = self.expression()
        elif any(self.ahead(step) in RELATIONS for step in range(self.closing(self.position - 1) - self.position)):
            self.scopes.append(scope)
            conditions = self.conditions()
            self.scopes.pop()
        else:
            for _ in range(2 * len(letters) - 1 if self.ahead(1) == "," else len(letters)):
                self.take()
        self.expect("}", "close the text below")
        return lower, conditions

    def above(self, operator: str) -> Node:
        self.take()
        return self.braced(f"\\{operator}_{{...}}^{{...}}") if self.text == "{" else self.single("^")

    # --- conditions

    def conditions(self) -> tuple[Chain, ...]:
        r"""Chains joined by commas or ``\text{and}``; every bare letter in them is an index."""
        self.index_depth += 1
        conditions = [self.condition()]
        while self.text == "," and self.ahead(1) not in AFTER_CONDITIONS or self.token.argument == "and":
            self.take()
            conditions.append(self.condition())
        self.index_depth -= 1
        return tuple(conditions)

    def condition(self) -> Chain:
        start = self.start
        members, relations = [(self.expression(),)], []
        while self.text in RELATIONS:
            relations.append(RELATIONS[self.take().text])
            at = self.start
            members.append((self.expression(),))
            self.require_a_set(members[-2], relations[-1], members[-1], at)
        if not relations:
            raise self.error(f"expected a condition such as j \\le i, found {self.found} after its left side")
        return Chain(tuple(members), tuple(relations), span=self.span(start))
