"""What the tests of cumloss have in common."""

from hypothesis import strategies as st

from gnosis.gates.cumloss import Bet, ChargeGate

risks = st.integers(2, 50).flatmap(lambda d: st.tuples(st.integers(1, d - 1), st.just(d)))

GATE = ChargeGate(Bet(20, 11, 10), "0.1")
