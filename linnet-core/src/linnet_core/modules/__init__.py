"""Root files to packages: which files belong together, and in which order.

In: the path of a file or package.  Out: `load.Package`, every reachable module parsed once.
"""
