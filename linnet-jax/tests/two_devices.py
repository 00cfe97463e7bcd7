"""A process of its own in which jax sees two devices.

In: a script.  Out: nothing, or a failure with what it printed.
"""

from __future__ import annotations

import os
import subprocess
import sys


def on_two_devices(text: str) -> None:
    """Run a script where jax sees two devices."""
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
