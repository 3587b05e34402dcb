-- name: decided-until
-- The receipt time, in milliseconds, up to which every install accepted is decided and in its journey; none before the
-- first.
SELECT floor(extract(epoch FROM settled) * 1000)::float8 AS settled FROM watermarks WHERE name = 'install-journeys';
