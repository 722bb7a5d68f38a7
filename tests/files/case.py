"""What the modules of extremes have in common."""

import dataclasses

from trial import ERROR, PICTURE

EITHER = "either"


@dataclasses.dataclass
class Case:
    """A file, what is expected of it, and some words that are to be in the messages."""

    name: str
    content: bytes | str
    expected: str = PICTURE
    words: str = ""
    role: str = "model"
    beside: dict = dataclasses.field(default_factory=dict)


def refused(name, content, words="", **more):
    return Case(name, content, ERROR, words, **more)


def unharmed(name, content, **more):
    """Of a file that may be read or refused."""
    return Case(name, content, EITHER, **more)
