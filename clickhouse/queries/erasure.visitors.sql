-- One row per visitor of the websites of {project} that any event connects with the user {user}.
SELECT DISTINCT visitor_id FROM adtrail.web_events WHERE project_id = {project:UInt32} AND user_id = {user:String}
