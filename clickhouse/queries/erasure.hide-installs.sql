-- Blanks what {installs} say of a person and their device; the installs and their attribution stay.
-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  UPDATE gaid = NULL, idfa = NULL, ip = '', ua = ''
  WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
