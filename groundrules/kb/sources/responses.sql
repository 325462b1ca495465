CREATE TABLE response (
  key TEXT PRIMARY KEY,     -- SHA-256 of endpoint, newline, query
  endpoint TEXT NOT NULL,
  query TEXT NOT NULL,
  fetched TEXT NOT NULL,    -- ISO 8601, UTC
  days REAL NOT NULL,       -- how long it is good for
  outcome TEXT NOT NULL,
  body BLOB NOT NULL,       -- zlib
  sha256 TEXT NOT NULL      -- of the body before zlib
)
