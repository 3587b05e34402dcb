-- One row: how many nodes {cluster} has. Table: system.clusters.
SELECT uniqExact(host_name, port) AS nodes FROM system.clusters WHERE cluster = {cluster:String}
