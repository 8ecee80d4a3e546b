"""Programs of throws: what is left of a fight when everything known has been worked out."""
