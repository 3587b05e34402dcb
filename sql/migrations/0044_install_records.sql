-- Its successor, install-records, fills more into the same table, and begins with everything that is stored.
DELETE FROM watermarks WHERE name = 'records-by-install';
