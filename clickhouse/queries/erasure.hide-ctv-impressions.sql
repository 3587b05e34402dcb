-- Blanks what the connected-TV impressions {touches} say of a household; the impressions stay.
-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  UPDATE ip = '', ua = '', tv_ifa = ''
  WHERE project_id = {project:UInt32} AND toString(impression_id) IN {touches:Array(String)}
