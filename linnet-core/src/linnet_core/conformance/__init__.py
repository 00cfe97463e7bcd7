"""The kit that holds a target to the reference: for authors of targets, here and elsewhere.

In: a target that runs what it prints.  Out: for every case, what its results differ in from the NumPy target's, or nothing.  A case is one
entry made of calls by hand, so that what fails is one kind of call under one dtype.

    pytest -p linnet_core.conformance.plugin --pyargs linnet_core.conformance --linnet-target NAME

runs all of them; a package's own tests take `kit.all_cases()` and say where their framework is known to differ.  `loading` has the cases
of loaders: one small model, and what that of every framework makes of it.
"""
