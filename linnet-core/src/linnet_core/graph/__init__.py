"""From the Core IR of one entry and numbers for its generics to calls on a target, and the document of those calls."""
