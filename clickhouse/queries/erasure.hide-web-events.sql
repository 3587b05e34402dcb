-- Blanks what the web events of {visitors} say of a person and their device; the events stay.
-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_events
  UPDATE user_id = '', ip = '', ua = '', properties = ''
  WHERE project_id = {project:UInt32} AND visitor_id IN {visitors:Array(String)}
