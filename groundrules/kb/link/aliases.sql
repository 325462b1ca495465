-- The index of names, and the things that have one while it is built.
CREATE TABLE alias(norm TEXT, prior INTEGER, entity INTEGER, kind INTEGER, lang TEXT,
                   PRIMARY KEY(norm, prior DESC, entity)) WITHOUT ROWID;
CREATE TABLE entity(id INTEGER PRIMARY KEY, iri TEXT UNIQUE, label TEXT, description TEXT,
                    aliases TEXT, prior INTEGER, types TEXT, revision TEXT);
CREATE TABLE build(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TEMP TABLE thing(iri TEXT PRIMARY KEY) WITHOUT ROWID;
