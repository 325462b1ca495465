"""Contracts, judgments, statutes and patents: what law and drafting rule out."""
