-- Removes what the attribution worker noted of {installs} while it decided them.
-- cluster: on every node
ALTER TABLE adtrail.attribution_batches DELETE WHERE project_id = {project:UInt32}
  AND install_id IN {installs:Array(String)}
