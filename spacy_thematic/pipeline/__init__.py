"""spaCy components, their settings, and what they write to Docs."""
