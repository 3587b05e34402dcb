-- One row per ad-network account of project $1.
SELECT external_customer_id, id FROM network_accounts WHERE project_id = $1
