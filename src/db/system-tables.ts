/** Where to read a table of ClickHouse's database `system`: of the one server, or of every node of a cluster. */
export const systemTable = (cluster: string | undefined, table: 'mutations' | 'parts' | 'processes'): string =>
  cluster ? `clusterAllReplicas('${cluster}', system.${table})` : `system.${table}`;
