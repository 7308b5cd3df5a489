"""Where sentences begin."""
