"""`linkindex fix`: find again by content what was moved or renamed, and bring links.lock up to date."""

from linkindex.fix.files import difference, write_all
from linkindex.fix.lockfile import kept_files, new_lock
from linkindex.fix.memory import read_memories
from linkindex.fix.plan import Plan, plan
from linkindex.fix.remember import remember
from linkindex.model import Index, Resolution
from linkindex.resolve import Finder

__all__ = ["Plan", "difference", "fix_lock", "plan", "write_all"]


def fix_lock(index: Index, resolution: Resolution, write: bool) -> str:
    """The difference between the lock file and what it should be, records as they are; written if asked.

    Raises ValueError while a record is not found: it would be locked wrong.
    """
    lost = [one.id for one in index.equations if one.id not in resolution.links or one.id not in resolution.tests]
    if lost:
        raise ValueError(
            f"the code or the test of {', '.join(lost)} is not found: "
            "mend these records first (see `linkindex check --fast`)"
        )
    if not index.equations:
        raise ValueError("there are no equations: an empty lock would accept that all of them were lost")
    config, finder = index.config, Finder(index)
    memories = remember(index, resolution, finder, read_memories(config))
    changes = kept_files(config, new_lock(index, resolution), memories)
    if write:
        write_all(config.root, changes)
    return difference(changes)
