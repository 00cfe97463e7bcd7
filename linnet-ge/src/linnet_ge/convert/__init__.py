"""A dump in another form: a readable dump, JSON, a drawing; and what of it the other form cannot show.

In: `linnet_ge.formats.files.Opened`.  Out: text, and `Lost` values.

    lost.py          what is left out: one by one, and counted
    attributes.py    which attributes a readable dump shows, how, and what that costs
    readable.py      a readable dump
    document.py      the JSON document of any format
    drawn.py         what a drawing shows: boxes and lines, with texts that nothing can end too early
    dot.py           a graph as DOT text
    layers.py        in which layer and order boxes stand
    places.py        how wide they are and where they stand, in pixels
    svg.py           a graph as a drawing
"""
