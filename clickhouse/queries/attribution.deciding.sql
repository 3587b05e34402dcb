-- How many statements with the tag {tag} are running: the process that sent one may be gone while it goes on.
SELECT count() AS statements FROM system.processes WHERE Settings['log_comment'] = {tag:String}
