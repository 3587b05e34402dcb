-- One row per app of project $1.
SELECT id, platform, app_id, team_id, bundle_id, sha256_cert_fingerprints FROM apps WHERE project_id = $1 ORDER BY id
