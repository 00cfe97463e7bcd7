"""The command line: one file a command.  In: options.  Out: documents, source, diagnostics and an exit status."""
