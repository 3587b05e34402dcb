-- Notes each touch of the {devices} of {request} that was received up to {until} (milliseconds), and each that an
-- install of theirs is credited to, with its {salt}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value)
SELECT {request:UInt32}, {project:UInt32}, 'touch', {salt:UUID}, touch
FROM (
  SELECT DISTINCT toString(touch_id) AS touch
  FROM adtrail.touches_by_id
  WHERE project_id = {project:UInt32} AND received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
    AND touch_id IN (
      SELECT touch_id
      FROM adtrail.touches_by_identifier
      WHERE identifier IN (
        SELECT bitShiftRight(sipHash64({project:UInt32}, arrayJoin(['gaid', 'idfa']), device), 16)
        FROM (SELECT arrayJoin({devices:Array(String)}) AS device)
      )
    )
  UNION DISTINCT
  SELECT DISTINCT toString(assumeNotNull(touch_id)) AS touch
  FROM adtrail.installs
  WHERE project_id = {project:UInt32} AND touch_id IS NOT NULL AND install_id IN (
    SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install')
)
WHERE touch NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'touch')
