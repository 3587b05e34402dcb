-- A mark in front of the hash of a password is what no password has; without it the user has its password again. The
-- version, which says since when the user is there, hardly moves.
INSERT INTO adtrail.project_readers (user, project_id, sha256, version, is_deleted)
SELECT user, project_id, concat(if({suspended:UInt8} = 1, 'suspended ', ''), replaceOne(sha256, 'suspended ', '')),
  version + 1, 0
FROM adtrail.project_readers FINAL
WHERE user = {user:String} AND is_deleted = 0
