-- Sets the secret of name $3 of partner $1, or of project $2, the other one being null, to $4, which is sealed.
INSERT INTO postback_secrets (partner_id, project_id, name, secret) VALUES ($1, $2, $3, $4)
ON CONFLICT (partner_id, project_id, name) DO UPDATE SET secret = EXCLUDED.secret, changed_at = clock_timestamp()
