"""What is wrong with a ruleset or could go, found without a die."""
