-- One row per worker and state with how much is set aside.
SELECT worker, toString(state) AS state, count() AS entities
FROM adtrail.quarantine FINAL
GROUP BY worker, state
