"""From nodes to what is written: shape, sentences, charts, a ruleset, its variants, a situation. No name is looked up."""
