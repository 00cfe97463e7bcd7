"""The targets of this package.  In: calls.  Out: source, and arrays when it is run.  Others come in through `plugins/`."""
