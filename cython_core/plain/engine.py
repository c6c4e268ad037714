"""`gnosis.core.engine` without a compiler: an error that says so."""

from gnosis.core.plain.missing import refuse

refuse("engine", "the language model's passes")
