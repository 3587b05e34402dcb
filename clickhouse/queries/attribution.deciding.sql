-- How many statements with one of {tags} are running: the process that sent one may be gone while it goes on.
-- cluster: of every node
SELECT count() AS statements FROM system.processes WHERE Settings['log_comment'] IN {tags:Array(String)}
