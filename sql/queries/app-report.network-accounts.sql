-- The ad-network accounts with the IDs $1.
SELECT id, name, email, status, capi_configured, account_name, external_customer_id
FROM network_accounts
WHERE id = ANY ($1)
