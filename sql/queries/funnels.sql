-- name: project
-- The time zone of project $1, and the receipt time, in milliseconds, up to which every event and every decision on an
-- install is there; none before the first.
SELECT timezone,
  (SELECT floor(extract(epoch FROM settled) * 1000)::float8 FROM watermarks WHERE name = 'install-journeys') AS settled
FROM projects
WHERE id = $1;
