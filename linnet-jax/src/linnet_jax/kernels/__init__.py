"""Kernels on jax: their text in Pallas, and how printed source launches it."""
