-- How many statements are deciding installs right now: the worker that sent one may be is_deleted, the statement goes on.
SELECT count() AS statements FROM system.processes WHERE query LIKE '%INSERT INTO adtrail.installs (%' AND query NOT LIKE '%system.processes%'
