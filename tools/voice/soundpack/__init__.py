"""Builds Soundbox voice packs with an offline synthesiser. Build time only: nothing here is shipped."""
