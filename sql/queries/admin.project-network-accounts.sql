-- One row per ad network account of project $1.
SELECT id, network, external_customer_id, name, email, status, capi_configured, currency, account_name
FROM network_accounts
WHERE project_id = $1
ORDER BY id
