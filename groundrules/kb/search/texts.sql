-- What is read of a graph before its index is written.

DROP TABLE IF EXISTS temp.thing; DROP TABLE IF EXISTS temp.wanted; DROP TABLE IF EXISTS temp.named;
CREATE TEMP TABLE thing(iri TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE wanted(node TEXT, place INTEGER, predicate TEXT, start INTEGER, title TEXT,
                         body TEXT);
CREATE TEMP TABLE named(key TEXT, node TEXT, predicate TEXT);
