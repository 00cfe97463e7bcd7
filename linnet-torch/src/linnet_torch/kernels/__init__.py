"""Kernels on torch: their text in Triton, and how printed source launches it."""
