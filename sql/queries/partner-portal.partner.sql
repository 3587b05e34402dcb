-- Partner $1, if there is one.
SELECT id FROM partners WHERE id = $1
