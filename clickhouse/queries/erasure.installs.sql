-- One row per install that any event connects with the person whose identifier of {kind} (gaid, idfa or user) is
-- {value}, with the touch that it is credited to.
SELECT known.install_id AS install_id, toString(install.touch_id) AS touch_id
FROM (
  SELECT DISTINCT install_id
  FROM adtrail.app_events
  WHERE project_id = {project:UInt32}
    AND multiIf({kind:String} = 'gaid', ifNull(toString(gaid), ''), {kind:String} = 'idfa', ifNull(toString(idfa), ''),
    user_id) = {value:String}
) AS known
LEFT ANY JOIN (SELECT install_id, touch_id FROM adtrail.installs FINAL WHERE project_id = {project:UInt32}) AS install
  ON known.install_id = install.install_id
