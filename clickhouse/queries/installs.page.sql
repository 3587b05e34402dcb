-- One page of the installs of project {project}, decided or not, that the parameters choose, the latest first: one row
-- per install. The page begins after ({before_time}, {before_id}). {search} is an ID of an install, a device in any
-- case, or a user; empty for all. {campaign} is -1 for all, 0 for organic, -2 for those with any campaign;
-- {suspicious} is -1 for all. Of decided installs it looks at {candidates} and, with a search, at what it finds. The
-- page ends before what is earlier than ({after_time}, {after_id}).
WITH
  found AS (
    SELECT install_id
    FROM adtrail.installs_by_identifier
    WHERE identifier IN (
      SELECT arrayJoin([
        bitShiftRight(sipHash64({project:UInt32}, 'user', {search:String}), 16),
        bitShiftRight(sipHash64({project:UInt32}, 'device', lower({search:String})), 16)
      ])
    ) AND project_id = {project:UInt32} AND (kind = 'user' AND value = {search:String}
      OR kind != 'user' AND value = lower({search:String}))
    UNION ALL
    SELECT {search:String} AS install_id
  ),
  wanted AS (
    SELECT arrayJoin({candidates:Array(String)}) AS install_id
    UNION ALL
    SELECT install_id FROM found WHERE {search:String} != ''
  ),

  -- What a list shows of an install is read later, for those of the page alone.
  decided AS (
    SELECT install_id, adtrail.installs.install_time AS installed_at, 1 AS is_decided
    FROM adtrail.installs FINAL
    WHERE project_id = {project:UInt32} AND is_deleted = 0 AND install_id IN (SELECT install_id FROM wanted)
      AND (installed_at, install_id) >= (fromUnixTimestamp64Milli({after_time:Int64}, 'UTC'), {after_id:String})
      AND (installed_at, install_id) < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:String})
      AND toDate(installed_at, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
      AND ({campaign:Int64} = -1 OR campaign_id = {campaign:Int64} OR {campaign:Int64} = -2 AND campaign_id != 0)
      AND ({partner:UInt32} = 0 OR partner_id = {partner:UInt32})
      AND ({suspicious:Int8} = -1 OR (click_injection = 1 OR install_hijacking = 1) = ({suspicious:Int8} = 1))
    ORDER BY installed_at DESC, install_id DESC
    LIMIT {limit:UInt32}
  ),

  -- As many of the queue as the page has: those that are not decided are among them. Decided ones stay among them, as
  -- an install may be decided between the reading of its candidates and this one.
  queued AS (
    SELECT install_id, argMax(adtrail.install_queue.install_time, version) AS installed_at
    FROM adtrail.install_queue
    WHERE {with_undecided:Bool} AND project_id = {project:UInt32} AND stored_at > now() - INTERVAL 3 DAY
      AND ({search:String} = '' OR install_id IN (SELECT install_id FROM found))
      AND install_id IN (
        SELECT install_id
        FROM adtrail.install_queue
        WHERE project_id = {project:UInt32} AND stored_at > now() - INTERVAL 3 DAY
          AND adtrail.install_queue.install_time BETWEEN fromUnixTimestamp64Milli({after_time:Int64}, 'UTC')
            AND fromUnixTimestamp64Milli({before_time:Int64}, 'UTC')
      )
    GROUP BY install_id
    HAVING argMax(is_deleted, version) = 0
      AND (installed_at, install_id) >= (fromUnixTimestamp64Milli({after_time:Int64}, 'UTC'), {after_id:String})
      AND (installed_at, install_id) < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:String})
      AND toDate(installed_at, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
    ORDER BY installed_at DESC, install_id DESC
    LIMIT {limit:UInt32}
  )

SELECT install_id, toUnixTimestamp64Milli(argMax(installed_at, is_decided)) AS installed_ms
FROM (
  SELECT install_id, installed_at, is_decided FROM decided
  UNION ALL
  SELECT install_id, installed_at, 0 AS is_decided
  FROM queued
  WHERE install_id NOT IN (
    SELECT install_id
    FROM adtrail.installs FINAL
    WHERE project_id = {project:UInt32} AND install_id IN (SELECT install_id FROM queued) AND is_deleted = 1
  )
)
GROUP BY install_id
ORDER BY installed_ms DESC, install_id DESC
LIMIT {limit:UInt32}
