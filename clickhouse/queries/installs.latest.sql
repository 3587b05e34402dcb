-- The latest {rows} rows of decided installs of project {project} before ({before_time}, {before_id}) that the
-- parameters choose, as installs.page.sql has them: one row per stored row, the latest first. Rows that do not count
-- any more are among them.
--
-- The projection by_time answers, from its end: FINAL would read all installs of the project.
SELECT install_id, toUnixTimestamp64Milli(install_time) AS installed_ms
FROM adtrail.installs
WHERE project_id = {project:UInt32}
  AND install_time <= fromUnixTimestamp64Milli({before_time:Int64}, 'UTC')
  AND (install_time, install_id) < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:String})
  AND toDate(install_time, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
  AND ({campaign:Int64} = -1 OR campaign_id = {campaign:Int64} OR {campaign:Int64} = -2 AND campaign_id != 0)
  AND ({partner:UInt32} = 0 OR partner_id = {partner:UInt32})
  AND ({suspicious:Int8} = -1 OR (click_injection = 1 OR install_hijacking = 1) = ({suspicious:Int8} = 1))
ORDER BY install_time DESC, install_id DESC
LIMIT {rows:UInt32}
-- Few rows are wanted: one thread in small blocks stops early, and a filter of the greatest would only read ahead.
SETTINGS max_threads = 1, max_block_size = 8192, use_top_k_dynamic_filtering = 0
