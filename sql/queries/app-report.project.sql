-- The settings of project $1 that a report depends on, and the platforms of its apps.
SELECT timezone, currency,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'IOS') AS ios,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'ANDROID') AS android
FROM projects
WHERE id = $1
