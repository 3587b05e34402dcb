-- The first of the app IDs $2 that another account has, and that the account of project $1 does not have itself.
SELECT apps.app_id
FROM apps
JOIN projects ON projects.id = apps.project_id
JOIN projects AS own ON own.id = $1
WHERE apps.app_id = ANY ($2) AND projects.account_id <> own.account_id
  AND NOT EXISTS (
    SELECT 1
    FROM apps AS ours
    JOIN projects AS beside ON beside.id = ours.project_id
    WHERE ours.app_id = apps.app_id AND beside.account_id = own.account_id
  )
LIMIT 1
