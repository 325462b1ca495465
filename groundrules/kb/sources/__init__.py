"""Where statements come from: files, stores, endpoints, Wikidata, as one sort of source."""
