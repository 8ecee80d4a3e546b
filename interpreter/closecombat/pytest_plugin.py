"""Rulesets' examples as pytest items.

Loaded in every pytest run of an environment that has closecombat installed, so it imports nothing heavy
until an example file is collected.
"""
