-- The latest install that the user or device whose identifier of one of {kinds} is {value}; one row at most.
SELECT
  install_id, install_time, rule, campaign_id, touch_type, touch_time, gaid, idfa, ad_set_id, ad_set_name, ad_id,
    ad_name, keyword_id, keyword_name
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND is_deleted = 0
  AND install_id IN (SELECT install_id FROM adtrail.installs_by_identifier
    WHERE identifier IN (
      SELECT bitShiftRight(sipHash64({project:UInt32}, arrayJoin(['user', 'device']), {value:String}), 16)
    ) AND project_id = {project:UInt32} AND toString(kind) IN {kinds:Array(String)} AND value = {value:String})
ORDER BY adtrail.installs.install_time DESC, install_id DESC
LIMIT 1
