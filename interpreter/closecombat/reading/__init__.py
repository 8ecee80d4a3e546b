"""From nodes to what is written: shape, sentences, charts, variants, situations. No name is looked up here."""
