"""What no array of NumPy can be is told in one line, whatever operation makes it; anything else that goes wrong is not hidden."""

from __future__ import annotations

import numpy as np
import pytest

from linnet_core.errors import RuntimeFailure
from linnet_core.targets.numpy import runner

SOURCE = "import numpy as np\n\n\ndef constants():\n    return ()\n\n\ndef main(x):\n    return ({},)\n"


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("x.reshape((1,) * 65)", id="reshaped"),
        pytest.param("np.broadcast_to(x, (1,) * 65)", id="spread"),
        pytest.param("np.zeros((1,) * 65)", id="made"),
        pytest.param("x.reshape((1,) * 64)[None]", id="indexed"),
        pytest.param("np.zeros((2**31, 2**31, 2**31))", id="too large"),
    ],
)
def test_an_array_beyond_what_numpy_has_is_a_failure_of_the_run(made: str) -> None:
    with pytest.raises(RuntimeFailure, match=r"^numpy: "):
        runner.run(SOURCE.format(made), [np.zeros(1)], [], [])


def test_a_printed_call_that_is_wrong_stays_what_it_is() -> None:
    with pytest.raises(ValueError, match="cannot reshape"):
        runner.run(SOURCE.format("x.reshape((2,))"), [np.zeros(1)], [], [])
