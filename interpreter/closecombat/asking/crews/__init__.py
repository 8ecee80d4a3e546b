"""Who does the work: this process, others beside it, a cluster."""
