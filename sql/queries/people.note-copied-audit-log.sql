-- Notes that entries are in ClickHouse.
UPDATE audit_log SET copied_at = now() WHERE id = ANY ($1::bigint[])
