-- The number of the next run that derives tables.
SELECT nextval('derivation_turns') AS run_id
