"""Collections that do not fit in memory: embedded, and clustered, partition by partition."""
