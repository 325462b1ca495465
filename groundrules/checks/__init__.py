"""One judge, and the case makers of documents, knowledge bases, values and stores."""
