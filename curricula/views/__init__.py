"""Configs that are made from problems: one file each."""
