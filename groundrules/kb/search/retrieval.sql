-- The texts of a store, BM25 over them, and their identifiers; their vectors stand beside.
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE text(id INTEGER PRIMARY KEY, node TEXT, place INTEGER, predicate TEXT, start INTEGER,
  title TEXT, body TEXT);
CREATE INDEX text_node ON text(node, place);
CREATE VIRTUAL TABLE words USING
  fts5(title, body, content='text', content_rowid='id',
       tokenize='porter unicode61 remove_diacritics 2');
CREATE TABLE identifier(key TEXT, node TEXT, predicate TEXT,
  PRIMARY KEY(key, node, predicate)) WITHOUT ROWID;
