-- Removes what {installs} could be found by.
-- cluster: shard by value
ALTER TABLE adtrail.identities DELETE WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
