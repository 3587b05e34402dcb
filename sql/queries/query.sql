-- name: project
-- What a query needs to know of project $1; `is_derived`: its journeys have all that queries read; `complete_until`:
-- the receipt time, in milliseconds, up to which everything accepted is in its figures.
SELECT projects.timezone, projects.currency, derived.project_id IS NOT NULL AS is_derived,
  (
    SELECT floor(extract(epoch FROM min(settled)) * 1000)::float8
    FROM watermarks
    WHERE name IN ('install-journeys', 'daily-clicks')
  ) AS complete_until
FROM projects
LEFT JOIN materialization_settings AS derived
  ON derived.project_id = projects.id AND derived.name = 'install-journeys'
WHERE projects.id = $1;

-- name: project-of-web
-- What a web query needs to know of project $1, as project has it; `is_derived`: all visitors have what
-- queries read.
SELECT projects.timezone, projects.currency,
  EXISTS (SELECT FROM materialization_layouts WHERE name = 'former-web-visitors') AS is_derived,
  (
    SELECT floor(extract(epoch FROM min(settled)) * 1000)::float8
    FROM watermarks
    WHERE name = 'web-visitors'
  ) AS complete_until
FROM projects
WHERE projects.id = $1;
