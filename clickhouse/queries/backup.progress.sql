-- One row per BACKUP or RESTORE of an ID: whether it goes on, and why it failed. Table: system.backups.
SELECT status, error FROM system.backups WHERE id = {id:String}
