"""Where facts come from: RDF files, SPARQL endpoints, Wikidata."""
