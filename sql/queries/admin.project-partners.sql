-- One row per partner that anything was switched on or off for in project $1.
SELECT partner_id, partners.name AS partner, s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours
FROM partner_switches JOIN partners ON partners.id = partner_id
WHERE project_id = $1 ORDER BY partner_id
