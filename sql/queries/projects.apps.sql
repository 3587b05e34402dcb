-- One row an app of a project; several projects may have the same app.
SELECT project_id, app_id, platform FROM apps
