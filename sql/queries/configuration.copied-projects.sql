-- One row per project: its settings as adtrail.projects in ClickHouse holds them.
SELECT id AS project_id, name, timezone, currency,
  attribution -> 'click_window_days' AS click_window_days,
  attribution -> 'ip_click_window_hours' AS ip_click_window_hours,
  attribution -> 'view_window_hours' AS view_window_hours,
  attribution -> 'ctv_window_hours' AS ctv_window_hours,
  attribution -> 'reinstall_window_days' AS reinstall_window_days,
  attribution -> 'inactivity_days' AS inactivity_days
FROM projects
