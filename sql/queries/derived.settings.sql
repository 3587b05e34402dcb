-- One row a project with its settings, and those with which its journeys and click days were derived; null if they never were.
SELECT projects.id, projects.timezone, coalesce((projects.attribution ->> 'inactivity_days')::integer, 0) AS inactivity_days,
  journey_settings.timezone AS derived_timezone, journey_settings.inactivity_days AS derived_inactivity_days
FROM projects LEFT JOIN journey_settings ON journey_settings.project_id = projects.id
