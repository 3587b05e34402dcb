-- The receipt time, in milliseconds, up to which everything accepted is in credited figures; none before the first.
SELECT floor(extract(epoch FROM settled) * 1000)::float8 AS settled FROM watermarks WHERE name = 'install-journeys'
