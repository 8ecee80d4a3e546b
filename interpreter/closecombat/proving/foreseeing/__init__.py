"""What can be told of a program without carrying it out."""
