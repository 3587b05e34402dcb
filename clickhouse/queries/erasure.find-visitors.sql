-- Notes each visitor of the websites of {project} that any event connects with the user {value}, with the {salt} of
-- {request}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value, pseudonym)
SELECT {request:UInt32}, {project:UInt32}, 'visitor', {salt:UUID}, visitor_id,
  concat('forgotten-', toString(generateUUIDv4(visitor_id)))
FROM (
  SELECT DISTINCT visitor_id FROM adtrail.web_events WHERE project_id = {project:UInt32} AND user_id = {value:String}
)
WHERE visitor_id NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'visitor')
