"""`gnosis.core.stream` without a compiler: an error that says so."""

from gnosis.core.plain.missing import refuse

refuse("stream", "the measurement of memory")
