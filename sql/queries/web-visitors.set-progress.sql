-- Remembers that web events are derived until $1, those from $2 on being $3 events; times in milliseconds.
INSERT INTO web_derivation (derived_until, checked_from, checked_events)
VALUES (to_timestamp($1::bigint / 1000.0), to_timestamp($2::bigint / 1000.0), $3)
ON CONFLICT (one) DO UPDATE SET derived_until = excluded.derived_until, checked_from = excluded.checked_from, checked_events = excluded.checked_events
