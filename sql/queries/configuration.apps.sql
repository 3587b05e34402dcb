-- One row per app of a project; several projects may have the same app.
SELECT project_id, app_id, platform, team_id, bundle_id, sha256_cert_fingerprints FROM apps ORDER BY id
