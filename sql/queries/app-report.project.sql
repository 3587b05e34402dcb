-- The settings of project $1 that a report depends on, the platforms of its apps, and its domains.
SELECT timezone, currency,
  ARRAY(SELECT name FROM domains WHERE project_id = projects.id) AS domains,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'IOS') AS ios,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'ANDROID') AS android
FROM projects
WHERE id = $1
