"""Source texts, places in them, and what is said about them.

In: bytes.  Out: `source.Source`, `span.Span`, `diagnostic.Diagnostic`, and diagnostics shown as text or JSON.
"""
