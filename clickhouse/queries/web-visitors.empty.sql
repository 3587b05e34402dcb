-- Writes an empty row per visitor of the events {ids}, with {version}, which is older than what is derived next: a
-- visitor whose only events were repeats is derived to nothing.
INSERT INTO adtrail.web_visitors (project_id, visitor_id, version)
SELECT DISTINCT project_id, visitor_id, {version:UInt64}
FROM adtrail.web_events
WHERE id IN {ids:Array(UUID)}
