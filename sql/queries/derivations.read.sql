-- Up to which storage time derivation $1 has taken in what arrived.
SELECT derived_until FROM derivations WHERE name = $1
