-- One row per table of the service, with its columns but those that PostgreSQL computes.
SELECT relation.relname AS name, array_agg(attribute.attname::text ORDER BY attribute.attnum) AS columns
FROM pg_class AS relation
JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind = 'r'
  AND attribute.attnum > 0 AND NOT attribute.attisdropped AND attribute.attgenerated = ''
  AND relation.relname <> 'schema_migrations'
GROUP BY relation.relname
ORDER BY relation.relname
