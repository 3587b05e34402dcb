-- Asks every process to bring what it has accepted to ClickHouse now, to tell, and to derive from all that is there.
SELECT pg_notify('adtrail_ingest', 'derive')
