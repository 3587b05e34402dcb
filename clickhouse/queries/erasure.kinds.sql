-- One row per kind of what is noted of {request}, with how much of it there is and the salt of the request.
SELECT kind, count() AS subjects, toString(any(salt)) AS salt
FROM adtrail.erasure_subjects
WHERE request_id = {request:UInt32}
GROUP BY kind
