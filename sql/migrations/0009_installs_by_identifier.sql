-- Its successor, installs-by-identifier, fills another table, and begins with everything that is stored.
DELETE FROM watermarks WHERE name = 'identities';
