-- One row per install or reinstall that campaign {campaign} is credited with from {from} on and before {to}
-- (milliseconds): one page, the latest first.
SELECT
  install_id, install_time, touch_type, touch_time, ad_set_id, ad_set_name, ad_id, ad_name, publisher_platform,
    platform_position
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id = {campaign:UInt32} AND is_deleted = 0
  AND install_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    AND install_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY adtrail.installs.install_time DESC, install_id
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
