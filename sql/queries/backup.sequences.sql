-- One row per sequence that was used, with the last number that it gave.
SELECT sequencename AS name, last_value AS last
FROM pg_sequences
WHERE schemaname = current_schema() AND last_value IS NOT NULL
ORDER BY sequencename
