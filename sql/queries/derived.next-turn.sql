-- The number of the next turn of deriving.
SELECT nextval('derivation_turns') AS turn
