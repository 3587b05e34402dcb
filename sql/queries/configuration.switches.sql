-- One row per partner that an advertiser has switched anything on for.
SELECT project_id, partner_id, s2s_clicks, s2s_traffic, view_through, ctv_apps FROM partner_switches
