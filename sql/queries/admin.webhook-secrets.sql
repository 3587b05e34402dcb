-- One row per secret that webhook $1 ever had.
SELECT secret, valid_until FROM webhook_secrets WHERE webhook_id = $1
