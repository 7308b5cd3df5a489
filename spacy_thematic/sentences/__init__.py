"""Where sentences begin, and what the lines around them say."""
