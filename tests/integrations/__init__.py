"""Tests of groundrules.integrations."""
