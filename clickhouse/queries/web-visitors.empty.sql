-- An empty row for each visitor of {ids}, older than what is derived at {derived_at}: a visitor whose only events were
-- repeats is derived to nothing, and its former row must not stay.
INSERT INTO adtrail.web_visitors (project_id, visitor_id, derived_at)
SELECT DISTINCT project_id, visitor_id, {derived_at:UInt64} - 1
FROM adtrail.web_events
WHERE id IN {ids:Array(UUID)}
