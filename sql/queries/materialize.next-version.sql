-- The version of the rows that the next run writes, greater than that of every run before it.
SELECT nextval('materialization_versions') AS version
