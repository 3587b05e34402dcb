-- How far web events are derived, times in milliseconds; no row before the first derivation.
SELECT floor(extract(epoch FROM derived_until) * 1000)::bigint AS until, floor(extract(epoch FROM checked_from) * 1000)::bigint AS checked_from, checked_events
FROM web_derivation
