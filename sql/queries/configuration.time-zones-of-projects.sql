-- One row per time zone that projects have.
SELECT DISTINCT timezone FROM projects
