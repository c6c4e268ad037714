"""`gnosis.core.transformer` without a compiler: an error that says so."""

from gnosis.core.plain.missing import refuse

refuse("transformer", "the language model")
