"""Bytes of a file become text with its line ends, and it is said which kind of dump the text is.

In: bytes.  Out: text, `Kind`.

    file.py       a file's bytes as text that gives the same bytes again
    collector.py  the collector of cycles, paused
    sniff.py      the kind of a dump, from its first lines
"""
