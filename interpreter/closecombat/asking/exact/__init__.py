"""What a fight comes to, exactly: its ends, each as a chance."""
