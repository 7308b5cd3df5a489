"""What a trained encoder is compared with."""
