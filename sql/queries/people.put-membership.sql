-- Gives a person a role in a place. Who has one there keeps it: roles of members are changed, not given again.
INSERT INTO memberships (user_id, role, account_id, partner_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, coalesce(account_id, 0), coalesce(partner_id, 0)) DO NOTHING
