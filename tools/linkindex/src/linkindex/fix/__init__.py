"""`linkindex fix`: find again by content what was moved or renamed, and bring links.lock up to date."""

from linkindex.fix.files import Change, difference, write_all
from linkindex.fix.lockfile import lock_file_text, lock_path, new_lock
from linkindex.fix.plan import Plan, plan
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
    path = index.config.root / lock_path(index)
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    change = Change(lock_path(index), old, lock_file_text(new_lock(index, resolution, Finder(index))))
    if write:
        write_all(index.config.root, [change])
    return difference([change])
