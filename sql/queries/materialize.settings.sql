-- One row per project: its settings, and those with which materialization $1 derived its rows; null if it never did.
SELECT projects.id, projects.timezone,
  coalesce((projects.attribution ->> 'inactivity_days')::integer, 0) AS inactivity_days,
  derived.timezone AS derived_timezone, derived.inactivity_days AS derived_inactivity_days
FROM projects LEFT JOIN materialization_settings AS derived ON derived.project_id = projects.id AND derived.name = $1
