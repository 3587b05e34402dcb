-- Takes up every decided install of these projects.
INSERT INTO adtrail.journey_batches (turn, chunk, round, project_id, install_id)
SELECT {turn:UInt64}, cityHash64(install_id) % {chunks:UInt16}, 0, project_id, install_id
FROM adtrail.installs
WHERE project_id IN {projects:Array(UInt32)}
GROUP BY project_id, install_id
