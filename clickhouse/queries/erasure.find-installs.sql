-- Notes each install of {project} that any event connects with the person whose identifier of {kind} (gaid, idfa or
-- user) is {value}, with the {salt} of {request}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value, pseudonym)
SELECT {request:UInt32}, {project:UInt32}, 'install', {salt:UUID}, install_id,
  concat('forgotten-', toString(generateUUIDv4(install_id)))
FROM (
  SELECT DISTINCT install_id
  FROM adtrail.app_events
  WHERE project_id = {project:UInt32}
    AND multiIf({kind:String} = 'gaid', ifNull(toString(gaid), ''), {kind:String} = 'idfa', ifNull(toString(idfa), ''),
    user_id) = {value:String}
)
WHERE install_id NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install')
