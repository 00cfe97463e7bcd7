"""Linnet: a typed tensor language and its tools.

The rooms, in the order of the data (each imports only from those above it):

    errors      exceptions that carry diagnostics
    plugins     hook specifications and the value types a plugin author imports        (leaf)
    schema      finding and applying the JSON Schemas, reading their fields            (leaf)
    text        source text, spans, diagnostics and how they are shown
    syntax      tokens -> syntax tree
    modules     linnet.toml, import paths -> files, load order, cycles
    shapes      dimension polynomials, facts, the prover
    check       names, types, shapes, index notation, lints -> a checked program
    ir          Core IR (SSA, symbolic dimensions): lowering, verifier, passes
    plan        Core IR <-> plan document
    graph       Core IR + bound sizes -> calls -> graph document, replay
    linnet_source   Core IR -> Linnet source
    python_source   what targets that print Python share
    weights     safetensors bytes, random weights
    loading     what loaders of models share: members, sizes from inputs, which tensor is which
    targets     numpy: the reference target
    cli         one file a command
    conformance     the kit that holds a target to the reference
    std         the standard library, in Linnet
"""
