-- What a web query needs to know of project $1, as query.project.sql has it; `is_derived`: all visitors have what
-- queries read.
SELECT projects.timezone, projects.currency,
  EXISTS (SELECT FROM materialization_layouts WHERE name = 'former-web-visitors') AS is_derived,
  (
    SELECT floor(extract(epoch FROM min(settled)) * 1000)::float8
    FROM watermarks
    WHERE name = 'web-visitors'
  ) AS complete_until
FROM projects
WHERE projects.id = $1
