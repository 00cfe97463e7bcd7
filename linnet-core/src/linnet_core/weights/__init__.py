"""Arrays of a run: weights from safetensors files or at random, inputs from files and literals, states from archives.

In: what the command line names, and what the graph document wants (path, shape, dtype).  Out: NumPy arrays of exactly that type.
numpy is imported where it computes.
"""
