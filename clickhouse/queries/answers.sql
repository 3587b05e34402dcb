-- name: states
-- One row per table with rows, with a number that changes whenever its rows do: by an insert, by a change or an erasure
-- of rows, by what expires, or when it is restored. It changes with merges too, which change no figure. It is made of
-- the parts on this server, so that it is worth nothing on a cluster.
SELECT table, toString(groupBitXor(sipHash64(name, modification_time, rows, bytes_on_disk))) AS state
FROM system.parts
WHERE database = 'adtrail' AND active
GROUP BY table;
