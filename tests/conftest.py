"""Settings of the test run."""

from hypothesis import settings

# A busy machine is slow, not wrong: no deadline for single examples.
settings.register_profile("gnosis", deadline=None)
settings.load_profile("gnosis")
