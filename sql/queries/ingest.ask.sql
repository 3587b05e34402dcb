-- Asks every process to bring what it has accepted to ClickHouse now, and to tell.
SELECT pg_notify('adtrail_ingest', '')
