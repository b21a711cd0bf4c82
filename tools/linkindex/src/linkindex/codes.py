"""The codes of all findings: what each means, and what to do. A code is registered here and nowhere else.

A number that meant something once is never used again.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Code:
    means: str
    to_do: str


# The first digit of a code -> what it is about, in the order of the stages that find it.
ABOUT: Mapping[str, str] = {
    "1": "files that people write", "2": "places in the code, and the lock", "3": "runs", "4": "evidence",
    "5": "formulas and their letters", "6": "what pages show", "7": "the built site", "8": "repairs",
    "9": "planted faults",
}  # fmt: skip

CODES: Mapping[str, Code] = {
    "LI101": Code("A YAML file does not parse.", "Correct the line; quote texts that hold `: ` or begin with a sign."),
    "LI102": Code("A record, a symbol or a work has a key that is not known.", "Take the nearest key, or remove it."),
    "LI103": Code("A key that must be there is missing.", "Add it."),
    "LI104": Code("A key, an id or a symbol stands twice.", "Keep one."),
    "LI105": Code("Two ids, anchors or pages have one name, or names that differ only in case.", "Rename one of them."),
    "LI106": Code(
        "An id is not the name of its page, a dot and a name in lower case.", "Write it as `page.some-name`."
    ),
    "LI107": Code("A value is not of the kind that its key holds.", "Write what the message expects."),
    "LI108": Code("A page lists a symbol that is not registered.", "Register it in `symbols.yml`, or correct it."),
    "LI109": Code("A file is not readable text.", "Save it as UTF-8."),
    "LI110": Code(
        "A directive has no name or does not begin its line, or a block of code is never closed.",
        "Write `::: name` at the start of a line; close the block.",
    ),
    "LI112": Code("A page shows an equation that has no record.", "Correct the id, or write the record."),
    "LI113": Code("An equation is shown nowhere, or twice.", "Show it once, with `::: equation ID`."),
    "LI114": Code("A displayed formula stands in a page.", "Make it a record, and show it with `::: equation ID`."),
    "LI115": Code("Records stand beside no page.", "Add the page, or move the records."),
    "LI116": Code("A heading, a title or a note holds a formula.", "Write it in words, and show the formula below."),
    "LI117": Code("A link leads to a page that is not there.", "Correct it, exactly as the file is spelt."),
    "LI118": Code("A link leads to an anchor that its page does not have.", "Take one of those that it has."),
    "LI119": Code("There are no equations, so nothing would be checked.", "Write a record beside a page."),
    "LI120": Code("A line of the lock is damaged.", "Restore the file, or write it anew with `linkindex fix --write`."),
    "LI121": Code("A record cites a work that is not listed.", "Correct the key, or add the work to `references.yml`."),
    "LI122": Code(
        "The size of a symbol, or a length chosen for it, cannot be used.",
        "Name free sizes and whole numbers, and give each free size a length of its own in the configuration.",
    ),
    "LI123": Code("The code of a symbol or a condition is no Python expression.", "Write it as it stands in the code."),
    "LI124": Code("The registry of symbols is missing or empty.", "Write an entry for each symbol that pages list."),
    "LI125": Code(
        "A symbol is no single name, or two are the same name.", "Register one letter with its accents and scripts."
    ),
    "LI201": Code("No module of the project has this name.", "Write the full name, as in an import."),
    "LI202": Code("The module has no such function.", "Correct the name; after a move, run `linkindex fix`."),
    "LI203": Code("Several functions have this name.", "Rename all but one, or name the class that it stands in."),
    "LI204": Code("A Python file does not parse.", "Correct it first."),
    "LI205": Code("A Python file cannot be decoded.", "Save it as UTF-8, or declare its coding in the first line."),
    "LI206": Code("The code of a record is no Python expression.", "Write it as it stands in the function."),
    "LI207": Code(
        "The code is not in the function.", "Take one of the nearest; after a renaming, run `linkindex fix`."
    ),
    "LI208": Code("The code stands in the function more than once.", "Name a longer piece that is there once."),
    "LI209": Code("A name is imported in a circle.", "Import it from where it is defined."),
    "LI210": Code("The test is not there.", "Correct its file or its name."),
    "LI213": Code("The left side of the formula names no variable.", "Name the code under `code`."),
    "LI214": Code("A function that should make parameters puts nothing into a dictionary.", "Name the one that does."),
    "LI215": Code(
        "A line under `via` is not on the way from the formula's symbols to its left side.",
        "Name only lines that the value is made of.",
    ),
    "LI216": Code(
        "The function under `computes` or `also` is not called by the linked code.", "Name one that it calls."
    ),
    "LI221": Code("There is no lock.", "Write it with `linkindex fix --write`, and commit it."),
    "LI222": Code(
        "The lock knows an equation that has no record.", "Restore it, or accept its loss with `fix --write`."
    ),
    "LI223": Code("An equation is not in the lock.", "Add it with `linkindex fix --write`."),
    "LI224": Code("A formula is not the one in the lock.", "Restore it, or accept it with `linkindex fix --write`."),
    "LI225": Code("An equation links to another function than in the lock.", "Restore it, or accept it."),
    "LI226": Code("The linked code is not the code in the lock.", "Look whether the formula still holds; accept it."),
    "LI227": Code("An equation links to another test than in the lock.", "Restore it, or accept it."),
    "LI301": Code(
        "An example is missing, or lacks one of its functions.",
        "Write `inputs`, `run` and `sample` in the Python file beside the page.",
    ),
    "LI302": Code("An example raises.", "Correct the example, or the code."),
    "LI303": Code("Two runs of an example differ.", "Draw random numbers from a seeded generator made in `inputs`."),
    "LI305": Code("A process that ran examples, tests or mutants died.", "Read its last words in the message."),
    "LI306": Code("Mutants are not run on this system.", "Run this check on Linux or macOS."),
    "LI401": Code("The example never executes the linked code.", "Call the function in `run`."),
    "LI402": Code("A linked test did not pass, or was not collected.", "Correct it, or the code; read why it did not."),
    "LI403": Code("A linked test passes without executing the linked code.", "Call the linked function in the test."),
    "LI404": Code(
        "The linked code runs while the tests are collected, where no mutant is active.",
        "Compute expected values inside the test.",
    ),
    "LI406": Code(
        "A symbol has no value in the linked function.", "Correct its code, in the registry or the notation."
    ),
    "LI407": Code(
        "The shape of a symbol is unknown.", "Add a shape comment beside its line, or `shape` to the symbol."
    ),
    "LI408": Code("A value has another shape than its symbol claims.", "Correct the shape, or the code."),
    "LI409": Code("There are no sizes to check shapes on, or some are equal.", "Choose different `sizes`."),
    "LI410": Code("A step that the policy asks for does not hold.", "Read why; `linkindex explain ID` says more."),
    "LI414": Code(
        "The line under `computes` does not give the value of the call.", "Link the line whose value the call returns."
    ),
    "LI415": Code("The linked code does not read the value of the line under `also`.", "Link the line that it reads."),
    "LI417": Code(
        "The condition under `where` never holds in a run.", "Correct it, or let the example reach the case."
    ),
    "LI420": Code(
        "The formula, evaluated as displayed, does not give what the code gives.", "Correct the formula, or the code."
    ),
    "LI421": Code("A formula uses an operator that no equation defines.", "Give the equation that does `defines`."),
    "LI422": Code("What stands under `defines` is no call.", "Write it as `name(argument, ...)`."),
    "LI423": Code("Two equations define one operator.", "Keep one definition."),
    "LI424": Code("A symbol under `free` is not in the formula.", "Correct it, or remove it."),
    "LI431": Code("An exception is not needed, since the step holds.", "Remove it."),
    "LI432": Code("A page has too many exceptions.", "Let more of its equations hold in every step."),
    "LI451": Code("The linked code has no mutants.", "Link an expression that can be changed."),
    "LI452": Code("A linked test does not pass when it runs alone.", "Make it independent of other tests."),
    "LI453": Code(
        "A linked test passes although the linked code is changed.",
        "Assert what the change alters, or declare it under `equivalent` with the reason.",
    ),
    "LI454": Code("No mutant fails an assertion of the test, at most it raises.", "Compare the values."),
    "LI455": Code("What is declared equivalent is no mutant.", "Remove it, or copy the mutant's code."),
    "LI456": Code("The test notices a mutant that is declared equivalent.", "Remove the declaration."),
    "LI501": Code(
        "A formula cannot be read, or holds a letter that the page does not list.",
        "Correct the LaTeX, or list the symbol under `notation`.",
    ),
    "LI502": Code(
        "A formula in a sentence cannot be read, or holds an unknown letter.",
        "Correct it, or list the symbol under `notation`.",
    ),
    "LI503": Code(
        "A dollar sign begins no formula.", "Write `$x$` without blanks just inside; mark a lone sign as code."
    ),
    "LI601": Code("A value that a page shows has another shape than is claimed.", "Correct the shape, or the code."),
    "LI602": Code("There is no directive of this name.", "Take the nearest one."),
    "LI603": Code(
        "A value that a page shows was not recorded.", "Name code that the linked functions run, or a symbol."
    ),
    "LI604": Code(
        "An option or an argument of a directive cannot be used.", "See the directive on the reference page."
    ),
    "LI605": Code(
        "An equation is shown outside of its page, or outside of a section.", "Show it in a section of its own page."
    ),
    "LI606": Code(
        "A value has too many axes to be shown here, or an index outside of it.", "Add indices, or correct them."
    ),
    "LI607": Code(
        "A result cannot be worked out from its operands.", "Name a matrix product or a quotient, and a cell of it."
    ),
    "LI608": Code("A page cites a work that is not listed.", "Correct the key, or add the work to `references.yml`."),
    "LI609": Code("A page shows what no example ran.", "Add the example file, or let it call what is shown."),
    "LI612": Code("A function that a page lists is not linked, or several have the name.", "Write its full name."),
    "LI613": Code("An anchor that is generated stands twice on a page.", "Give one heading another `{#anchor}`."),
    "LI614": Code("A section that shows code has no code link that was found.", "Correct the records first."),
    "LI617": Code("An entry is larger than the limit that a page states.", "Correct the code, or the limit."),
    "LI618": Code(
        "A line of a path was not found, did not run, or ran earlier than the page says.",
        "Correct the lines, or their order.",
    ),
    "LI619": Code(
        "A parameter has no symbol, no line that made it, or no answer to a question.",
        "Name what is missing in the notation or in the options.",
    ),
    "LI701": Code("MkDocs warns of something.", "Correct what it names."),
    "LI710": Code("A link of the site leads to no file.", "Correct it, or add the file."),
    "LI711": Code(
        "A link of the site leads to an anchor that is not there.", "Correct it, or give the target that anchor."
    ),
    "LI712": Code("Two ids of one page differ at most in case.", "Rename one."),
    "LI713": Code("Two files of the site differ only in case.", "Rename one."),
    "LI714": Code(
        "A page or its search entry shows raw LaTeX.", "Write `$...$` without blanks just inside, or mark it as code."
    ),
    "LI715": Code("A page or a style sheet asks another host for something.", "Ship the file with the site."),
    "LI716": Code("A page holds a script, a handler or a style of its own.", "Move it to a file of the site."),
    "LI720": Code("The index of the site holds no equation.", "Write a record beside a page."),
    "LI721": Code(
        "The file `link-index.json` is missing, or does not agree with the records.",
        "List the plugin in `mkdocs.yml`; build again.",
    ),
    "LI722": Code(
        "An equation is not where its anchor is, or shows another formula.",
        "Build again; look for what changes pages after they were written.",
    ),
    "LI723": Code("A code link does not land on its code.", "Build again."),
    "LI724": Code("A page shows a formula that no check has read.", "Write it as `$x$`, or make it a record."),
    "LI800": Code("`fix` repairs nothing while records cannot be read.", "Correct what the message names first."),
    "LI801": Code("`fix` does not find a function, or several are as likely.", "Write the right name into the record."),
    "LI802": Code(
        "`fix` does not find a piece of code, or it is not clear what it became.", "Write the code into the record."
    ),
    "LI803": Code(
        "A symbol would need different codes in different functions.", "Give the variable one name in all of them."
    ),
    "LI804": Code("`fix` does not find a test, or several are as likely.", "Name the right one under `test`."),
    "LI805": Code("`fix` cannot edit a file without risk to what else stands there.", "Write the change by hand."),
    "LI901": Code("A planted fault was not found.", "Make the check find it."),
    "LI902": Code(
        "A planted fault was found, but not where it stands.", "Let the finding name the place of the fault."
    ),
    "LI903": Code("A planted fault broke the tool.", "Turn the traceback into a finding."),
    "LI904": Code("Too few faults could be planted to say anything.", "Attack a larger project."),
}  # fmt: skip
