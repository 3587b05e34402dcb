-- Blanks what clicks say of the person with {devices}, and what {touches} do; the clicks stay.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  UPDATE gaid = NULL, idfa = NULL, ip = '', ua = ''
  WHERE project_id = {project:UInt32}
    AND (toString(gaid) IN {devices:Array(String)} OR toString(idfa) IN {devices:Array(String)}
    OR toString(click_id) IN {touches:Array(String)})
