"""What has no value in a formula, and what to write instead."""

DOTS = (
    "dots stand only in a matrix and in \\operatorname{Concat}, between a first and a last entry: write"
    " \\sum_{j=1}^{n}, \\prod or \\max_{1 \\le j \\le n}"
)
REFUSED = {
    "|": "write \\lvert x \\rvert for a magnitude",
    "\\|": "write \\lVert x \\rVert for a norm",
    "\\approx": "state an equality that holds exactly",
    "\\sim": "state what is computed, not how it is distributed",
    "\\pm": "write two formulas",
    "\\mp": "write two formulas",
    "\\nabla": "add the gradient to the page's notation, as \\nabla_z L; its entries are (\\nabla_z L)_{ij}",
    "\\partial": "write \\frac{\\partial L}{\\partial z_i} with \\frac{\\partial L}{\\partial z} in the notation",
    "\\top": "a transpose stands alone above: write (A^{-1})^\\top",
    "\\int": "write the sum that the code computes, or make it a statement",
    "\\lim": "write the value that the code computes, or make it a statement",
    "\\binom": "write it with products",
    "\\cup": "write one condition for the members of both sets",
    "\\cap": "write one condition for the members of both sets",
    "\\setminus": "write one condition for the members that stay",
    "\\circ": "write \\odot for the product entry by entry, or one function inside the other",
    "\\otimes": "write the entries with indices",
    "\\oplus": "write + for a sum, or [u ; w] for one vector behind the other",
    "\\mid": "only a set has conditions, as in \\{i \\mid b_i < c\\}; make a conditional probability a statement",
    ";": "write , \\qquad between statements",
    ":": "write = for a definition, or separate conditions by \\text{for}",
    "\\quad": "write , \\qquad between statements",
    "*": "write \\cdot, or \\odot for the product entry by entry",
    "'": "a prime is part of a name: add the whole symbol to the notation",
    "\\cdots": DOTS,
    "\\ldots": DOTS,
    "\\dots": DOTS,
    "\\coloneqq": "write :=",
    "\\mapsto": "write the function on the left, as in f(x) = 2 x",
    "{": "braces group nothing here; remove them, also from numbers such as 10000",
    "!": "write the factorial as a product",
    ".": "end the sentence in the prose",
    "\\text": "words may only say for, if, when, otherwise or and",
}
