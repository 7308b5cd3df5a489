"""The bundled models, made again from sectioned articles: see README.md."""
