"""Records and tables as RDF, and the questions that they answer."""
