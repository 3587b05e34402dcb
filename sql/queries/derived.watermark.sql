-- Up to when what was stored has been taken into the derived table $1, in milliseconds.
SELECT (extract(epoch FROM watermark) * 1000)::bigint AS watermark FROM derived_tables WHERE name = $1
