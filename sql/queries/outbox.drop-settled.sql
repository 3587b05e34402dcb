-- Forgets which messages were settled about events received before $1, a day: no run looks at such events any more.
DELETE FROM outbox_settled WHERE day < $1
