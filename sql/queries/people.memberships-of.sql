-- What a person is, in each place.
SELECT id, role, account_id, partner_id FROM memberships WHERE user_id = $1
