-- One row per partner that an advertiser has switched anything on for, as adtrail.partner_switches in ClickHouse holds
-- it.
SELECT project_id, partner_id, s2s_clicks::int AS s2s_clicks, s2s_traffic::int AS s2s_traffic,
  view_through::int AS view_through, ctv_apps, view_window_hours
FROM partner_switches
