-- One row: whether this is adtrail's embedded ClickHouse, which says so by a macro, and not a server.
SELECT count() > 0 AS embedded
FROM system.macros
WHERE macro = 'adtrail_embedded'
