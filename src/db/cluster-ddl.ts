/** Renders the ClickHouse DDL of `clickhouse/migrations` for a cluster, from the very files one machine runs. */

// A separate comment line right above a table, or a change of one or of a view, says how its rows spread over the
// shards. A view that feeds a table reads and writes the local ones of each node.
const SHARDED = /^-- cluster: shard by (\w+)$/m;
const REPLICATED = /^-- cluster: on every node$/m;
const TABLE = /^CREATE TABLE IF NOT EXISTS (\w+)\.(\w+)/m;
const DATABASE = /^CREATE DATABASE IF NOT EXISTS (\w+) ENGINE = Atomic/m;
const FEED = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+\.\w+) TO (\w+\.\w+)/m;
const VIEW = /^CREATE OR REPLACE VIEW (\w+\.\w+)/m;
const FED = /^-- cluster: fed by each node$/m;
const ALTER = /^ALTER TABLE (\w+)\.(\w+)/m;
const DROP = /^DROP TABLE IF EXISTS (\w+)\.(\w+)/m;
// What only a table with its own rows can do: a Distributed one has no parts.
const OF_PARTS =
  /^ALTER TABLE \S+\s+(?:ADD (?:INDEX|PROJECTION)|MODIFY SETTING|MATERIALIZE|UPDATE|DELETE|DROP PARTITION) /m;

/**
 * One statement of a migration as the statements that a cluster needs, in order (docs/contract/views.md: Replicated
 * engines, ON CLUSTER, Distributed, sharded by record ID).
 *
 * A table sharded by a column becomes `<name>_local` on every node and a Distributed table under its own name, so
 * that views, inserts and queries read the same on one machine and on a cluster. A table kept whole on every node has
 * one replication path for all shards.
 *
 * @throws Error for a statement whose form it does not know: a migration must be renderable before it is released.
 */
export function renderForCluster(statement: string, cluster: string): string[] {
  const on = `ON CLUSTER '${cluster}'`;
  if (DATABASE.test(statement))
    return [statement.replace(DATABASE, `CREATE DATABASE IF NOT EXISTS $1 ${on} ENGINE = Atomic`)];
  if (FEED.test(statement)) {
    const feed = statement.replace(FEED, `CREATE MATERIALIZED VIEW IF NOT EXISTS $1 ${on} TO $2_local`);
    return [feed.replace(/^FROM (\w+\.\w+)$/m, 'FROM $1_local')];
  }
  if (VIEW.test(statement)) return [statement.replace(VIEW, `CREATE OR REPLACE VIEW $1 ${on}`)];
  const table = TABLE.exec(statement);
  if (table && REPLICATED.test(statement)) {
    return [replicated(statement.replace(TABLE, `CREATE TABLE IF NOT EXISTS $1.$2 ${on}`), 'all', '{shard}-{replica}')];
  }
  const key = SHARDED.exec(statement)?.[1];
  if (table && key) {
    const [, database, name] = table;
    const local = replicated(
      statement.replace(TABLE, `CREATE TABLE IF NOT EXISTS $1.$2_local ${on}`),
      '{shard}',
      '{replica}',
    );
    const engine = `Distributed('${cluster}', ${database}, ${name}_local, cityHash64(${key}))`;
    const comment = /^COMMENT '.*'$/m.exec(statement)?.[0] ?? '';
    const create = `CREATE TABLE IF NOT EXISTS ${database}.${name} ${on} AS ${database}.${name}_local`;
    return [local, `${create} ENGINE = ${engine} ${comment}`.trim()];
  }
  const altered = ALTER.exec(statement);
  if (altered && REPLICATED.test(statement)) return [statement.replace(ALTER, `ALTER TABLE $1.$2 ${on}`)];
  if (altered && FED.test(statement))
    return [statement.replace(ALTER, `ALTER TABLE $1.$2 ${on}`).replace(/^FROM (\w+\.\w+)$/m, 'FROM $1_local')];
  if (altered && SHARDED.test(statement)) {
    const [, database, name] = altered;
    const targets = OF_PARTS.test(statement) ? [`${name}_local`] : [`${name}_local`, name];
    return targets.map((target) => statement.replace(ALTER, `ALTER TABLE ${database}.${target} ${on}`));
  }
  if (DROP.test(statement) && key)
    return ['', '_local'].map((suffix) => statement.replace(DROP, `DROP TABLE IF EXISTS $1.$2${suffix} ${on} SYNC`));
  throw new Error(`No cluster variant of: ${statement.slice(0, 80)}`);
}

/**
 * The statement with the Replicated variant of its engine, which takes a path and a name before the engine's own
 * arguments.
 */
const replicated = (statement: string, shard: string, replica: string) =>
  statement.replace(/^ENGINE = (\w*MergeTree)\(([^)]*)\)/m, (_, engine: string, own: string) => {
    const all = [`'/clickhouse/tables/${shard}/{database}/{table}'`, `'${replica}'`, ...(own ? [own] : [])];
    return `ENGINE = Replicated${engine}(${all.join(', ')})`;
  });
