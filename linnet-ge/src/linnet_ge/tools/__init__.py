"""What people do with dumps, whatever format they came in.

In: views (`linnet_ge.model`).  Out: values that commands print or write as documents.

    summary.py       counts: graphs, nodes, types, casts, dynamic shapes, constants
"""
