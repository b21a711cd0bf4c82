"""The form of the mathematical functions: one step a line, one value a name, a true shape beside each line."""

import ast
import io
import tokenize
from pathlib import Path

import numpy as np
import pytest

import transformer
from tests.transformer.recording import variables_of
from tests.transformer.sample_calls import samples
from tests.transformer.samples import SIZES, attention_sample
from transformer.attention import attention_forward

FILES = sorted(Path(transformer.__file__).parent.rglob("*.py"))
# Splitting and merging are each other's backward; the next are numbers that no gradient reaches; steps only write.
OTHERS = {"head_width", "split_heads", "merge_heads", "sinusoidal_positions", "rotary_table", "causal_mask",
          "padding_mask", "attention_step", "grouped_query_step", "memory_keys_values", "cross_attention_step",
          "pre_norm_block_step", "decoder_layer_step"}

# What may surround a step: moving numbers about, masks, and numbers that are computed from sizes.
LAYOUT = {"rows", "reshape", "swapaxes", "astype"}
MASKS = {"np.where", "np.tri", "np.isneginf"}
SCALARS = {"math.sqrt", "len"}


def mathematical_functions(source):
    """The forward and backward functions of a file, and the others that hold formulas."""
    return [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
            and (node.name.endswith(("_forward", "_backward")) or node.name in OTHERS)]


def steps(statement):
    """The steps of one statement: matrix products, reductions and named calls. Raising an error is not a step."""
    found = []
    for node in [] if isinstance(statement, ast.Raise) else ast.walk(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            found.append("@")
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            short = node.func.attr if isinstance(node.func, ast.Attribute) else name
            if short not in LAYOUT and name not in MASKS | SCALARS:
                found.append(short)
    return found


def assigned_names(function):
    """Each binding of a name in a function: parameters, assignments, loops, with-blocks and walrus targets.

    What is assigned to ``_`` is thrown away and has no name.
    """
    parameters = [argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
    return parameters + [node.id for node in ast.walk(function)
                         if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "_"]


def simple_statements(function):
    return [node for node in ast.walk(function) if isinstance(node, ast.stmt) and not hasattr(node, "body")]


def faults_of_form(source):
    """(line or function, what is wrong) for each statement with two steps and each name that is assigned twice."""
    faults = []
    for function in mathematical_functions(source):
        names = assigned_names(function)
        faults += [(function.name, f"{name} is assigned twice") for name in sorted(set(names)) if names.count(name) > 1]
        faults += [(function.name, f"line {statement.lineno} has the steps {', '.join(steps(statement))}")
                   for statement in simple_statements(function) if len(steps(statement)) > 1]
    return faults


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_one_step_a_line_and_one_value_a_name(path):
    assert faults_of_form(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("body", "fault"), [
    ("S = Q @ K\n    S = S + 1", "S is assigned twice"),
    ("Q += K", "Q is assigned twice"),
    ("for Q in K: pass", "Q is assigned twice"),
    ("O = merge_heads(A @ Vh)", "line 2 has the steps merge_heads, @"),
    ("A = np.exp(x) / np.exp(x).sum()", "line 2 has the steps exp, sum, exp"),
    ("return dot(dot(x, W), W)", "line 2 has the steps dot, dot"),
])
def test_a_second_step_or_assignment_is_noticed(body, fault):
    assert fault in [what for _, what in faults_of_form(f"def f_forward(Q, K):\n    {body}\n")]


# --- shape comments --------------------------------------------------------------------------------------------------


def shape_comments(source):
    """Line -> shape, for each comment that starts with a shape: "# (..., T, d)" gives ("...", "T", "d")."""
    shapes = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.string.startswith("# ("):
            inside = token.string[3:token.string.index(")")]
            shapes[token.start[0]] = tuple(part.strip() for part in inside.split(",") if part.strip())
    return shapes


def written_comments():
    """How many shape comments stand in the mathematical functions, and how many in all others."""
    here, total = 0, 0
    for path in FILES:
        source = path.read_text(encoding="utf-8")
        lines = shape_comments(source)
        ranges = [range(f.lineno, f.end_lineno + 1) for f in mathematical_functions(source)]
        here += sum(any(line in inside for inside in ranges) for line in lines)
        total += len(lines)
    return here, total - here


def array_statements(function):
    """(last line, variable) of each assignment that makes an array; taking a tuple apart makes none."""
    found = []
    for statement in simple_statements(function):
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            if isinstance(target, ast.Tuple):
                if not isinstance(statement.value, ast.Call):
                    continue
                target = target.elts[0]
            if isinstance(target, ast.Subscript):  # an entry of a dictionary of gradients
                continue
            found.append((statement.end_lineno, target.id))
    return found


def numbers(part, sizes, leading):
    """The sizes that one part of a shape comment stands for; an unknown symbol stands for itself, which is no size."""
    if part == "...":
        return leading
    return (int(part) if part.isdigit() else sizes.get(part, part),)


def wrong_comments(source, function_name, variables, sizes, leading):
    """Messages for the shape comments of a function that its recorded variables contradict, and for missing ones.

    sizes: size symbol -> number. leading: what "..." stands for. Also returns how many comments were compared.
    """
    comments = shape_comments(source)
    function = next(node for node in ast.parse(source).body if getattr(node, "name", None) == function_name)
    messages, compared = [], 0
    for line, variable in array_statements(function):
        shape = np.shape(variables[variable]) if not isinstance(variables[variable], dict) else None
        if line not in comments:
            if shape is not None:
                messages.append(f"line {line}: {variable} has no shape comment")
            continue
        expected = tuple(size for part in comments[line] for size in numbers(part, sizes, leading))
        compared += 1
        if shape != expected:
            messages.append(f"line {line}: {variable} is {shape}, its comment says {comments[line]}, here {expected}")
    return messages, compared


def recorded_runs(leading):
    """(function, variables at its return, sample) of every function that has a sample call."""
    for sample in samples(leading).values():
        result, variables = variables_of(sample.forward, *sample.args.values())
        yield sample.forward, variables, sample
        if sample.backward:
            yield sample.backward, variables_of(sample.backward, sample.dy(), result[1])[1], sample


def test_every_mathematical_function_has_a_sample_call():
    """Otherwise its shape comments, dtypes and gradients would go unchecked: add one to sample_calls.py."""
    called = {function.__name__ for sample in samples().values()
              for function in (sample.forward, sample.backward) if function}
    written = [(path.name, function.name) for path in FILES
               for function in mathematical_functions(path.read_text(encoding="utf-8"))]
    missing = [f"{file}: {name}" for file, name in written if name not in called]
    assert not missing, f"without a sample call: {', '.join(missing)}"
    assert len(written) > 40


@pytest.mark.parametrize("leading", [(), (2,), (7, 2)])
def test_every_shape_comment_is_true(leading):
    functions, compared = set(), 0
    for function, variables, sample in recorded_runs(leading):
        source = Path(function.__code__.co_filename).read_text(encoding="utf-8")
        messages, count = wrong_comments(source, function.__name__, variables, sample.sizes, sample.dots)
        assert not messages, f"{function.__name__}: {'; '.join(messages)}"
        compared += 0 if function in functions else count
        functions.add(function)
    here, elsewhere = written_comments()
    print(f"{compared} of {here} shape comments of the mathematics compared ({compared / here:.0%}), in "
          f"{len(functions)} functions; {elsewhere} stand in other functions")
    assert compared == here > 150


@pytest.mark.parametrize(("true", "planted"), [
    ("Q = dot(Xn, params[\"wq\"]) + params[\"bq\"]  # (..., T, d)", "(..., d, T)"),
    ("K = dot(Xn, params[\"wk\"]) + params[\"bk\"]  # (..., T, d)", "(..., T, d_h)"),
    ("Qh = split_heads(Q, H)                    # (..., H, T, d_h)", "(..., T, d_h)"),
    ("Oh, cache_Oh = scaled_dot_product_forward(Qh, Kh, Vh, mask)  # (..., H, T, d_h)", "(..., T, H, d_h)"),
    ("O = merge_heads(Oh)                                          # (..., T, d)", ""),
])
def test_a_wrong_or_missing_shape_comment_is_noticed(true, planted):
    source = Path(attention_forward.__code__.co_filename).read_text(encoding="utf-8")
    assert source.count(true) == 1
    code = true[:true.index("#")]
    changed = source.replace(true, f"{code}# {planted}" if planted else code)
    Xn, params, H, mask, _ = attention_sample()
    _, variables = variables_of(attention_forward, Xn, params, H, mask)
    messages, _ = wrong_comments(changed, "attention_forward", variables, SIZES, (SIZES["B"],))
    assert len(messages) == 1 and f": {code.split()[0].strip(',')} " in messages[0]
