-- One row per install and visitor of {request}, up to {limit}.
SELECT value
FROM adtrail.erasure_subjects
WHERE request_id = {request:UInt32} AND kind IN ('install', 'visitor')
ORDER BY kind, value
LIMIT {limit:UInt32}
