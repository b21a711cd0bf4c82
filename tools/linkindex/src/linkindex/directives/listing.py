"""A whole function."""

from linkindex.directives import Arguments, directive
from linkindex.kinds import LISTED


@directive(arguments=Arguments(LISTED, "one argument, the function to list, such as package.module.function"))
def listing(context, options):
    """A function from its first decorator to its last line, with all links of the page marked."""
    from linkindex.render.listings import whole_function

    return whole_function(context, context.directive.arguments[0])
