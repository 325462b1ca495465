"""Tools of the project: what counts it and makes its pages; no part of the package."""
