"""The cache takes so much room and no more: what was not used for longest goes."""

import json
import os

from linkindex import store


def test_the_files_that_were_not_used_for_longest_are_removed(tmp_path):
    for number in range(6):
        store.write(tmp_path / f"{number}.json", number)
        os.utime(tmp_path / f"{number}.json", (number, number))
    store.touch(tmp_path / "0.json")
    store.prune(tmp_path, 3)
    assert sorted(json.loads(path.read_text().split("\n")[1]) for path in tmp_path.iterdir()) == [0, 4, 5]


def test_files_are_removed_beyond_the_room_that_they_may_take(tmp_path):
    for number in range(6):
        (tmp_path / f"{number}.json").write_bytes(bytes(100))
        os.utime(tmp_path / f"{number}.json", (number, number))
    store.prune(tmp_path, 5, room=250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["4.json", "5.json"]
