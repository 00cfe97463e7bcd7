"""What every loader of a model needs, whatever the framework: members, generics from inputs, weights, printed modules.

In: a model (a file, a package, or a plan), generics, files of weights.  Out: `Model` with the tree of its members, the sizes an entry runs
under, which tensor each path takes, and the source of an entry, kept for the next time.  No framework is imported.
"""
