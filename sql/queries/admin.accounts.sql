-- One row per account.
SELECT id, name, billing_status, payment_link, created_at FROM accounts ORDER BY id
