-- The last visitor that run {run_id} took up, in the order in which they lie; none where it took up nobody.
SELECT project_id, visitor_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64}
ORDER BY project_id DESC, visitor_id DESC
LIMIT 1
