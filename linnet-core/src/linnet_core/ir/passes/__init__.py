"""Canonical rewrites of the Core IR, one a file, and the pipeline that runs them."""

from linnet_core.ir.passes.pipeline import optimize

__all__ = ["optimize"]
