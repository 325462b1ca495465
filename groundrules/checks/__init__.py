"""One judge and its readers: documents, knowledge bases, values, answers and stores."""
