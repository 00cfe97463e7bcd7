"""The name plugins are found under, kept apart so that reading it costs no import."""

from __future__ import annotations

#: The pluggy project and the entry-point group.
PROJECT = "linnet"
