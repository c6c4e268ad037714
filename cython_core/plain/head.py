"""`gnosis.core.head` without a compiler: an error that says so."""

from gnosis.core.plain.missing import refuse

refuse("head", "the certified output layer")
