-- Blanks what impressions say of the person with {devices}, and what {touches} do; the impressions stay.
-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  UPDATE gaid = NULL, idfa = NULL, ip = '', ua = ''
  WHERE project_id = {project:UInt32}
    AND (toString(gaid) IN {devices:Array(String)} OR toString(idfa) IN {devices:Array(String)}
    OR toString(impression_id) IN {touches:Array(String)})
