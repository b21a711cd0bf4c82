"""Mutants of linked code: small changes that a linked test must notice, made, run and judged."""
