-- How many installs and reinstalls campaign {campaign} is credited with from {from} on and before {to} (milliseconds).
SELECT count() AS total
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id = {campaign:UInt32} AND is_deleted = 0
  AND install_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    AND install_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
