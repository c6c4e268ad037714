"""What the tests of deferred have in common."""

from __future__ import annotations

import tiny_model
from hypothesis import strategies as st

MOST = 24

prompts = st.lists(st.integers(0, tiny_model.END - 1), min_size=1, max_size=6)
