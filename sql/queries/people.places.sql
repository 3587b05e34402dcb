-- Accounts, partners and projects by name: all, or those in $1 (accounts) and $2 (partners).
SELECT 'account' AS kind, id, name, NULL::integer AS account_id, NULL AS currency, NULL AS timezone
FROM accounts WHERE $3 OR id = ANY ($1::integer[])
UNION ALL
SELECT 'partner', id, name, NULL, NULL, NULL FROM partners WHERE $3 OR id = ANY ($2::integer[])
UNION ALL
SELECT 'project', id, name, account_id, currency, timezone FROM projects WHERE $3 OR account_id = ANY ($1::integer[])
ORDER BY 1, 3, 2
