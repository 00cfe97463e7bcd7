"""A graph document of linnet -> a readable dump of the Graph Engine; `write.py` is the door."""
