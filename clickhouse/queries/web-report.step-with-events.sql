-- Step element_sums of reports that ask for events. One row per touch, as in the step without_events, and how often
-- each event was credited to it: wherever there is an event, there is an element. Steps: without_events, event_sums.
SELECT
  touch, visitors, source_visitors, all_visitors, sessions, all_sessions, page_views,
  event_sums.event_counts AS event_counts
FROM without_events
LEFT JOIN event_sums ON without_events.touch = event_sums.touch
