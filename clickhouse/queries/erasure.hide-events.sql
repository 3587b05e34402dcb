-- Blanks what the events of {installs} say of a person and their device; the events stay.
-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  UPDATE gaid = NULL, idfa = NULL, ip = '', ua = '', user_id = '', user = '', device = ''
  WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
