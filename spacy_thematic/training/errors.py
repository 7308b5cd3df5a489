"""What can go wrong in training."""


class TrainingError(ValueError):
    """Training cannot start or continue; what was saved before stands."""
