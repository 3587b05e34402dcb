/**
 * Rows have the columns that the code gives them, and of the types that it says: each statement of the query files is
 * described by its engine, without running it.
 */
import pg from 'pg';
import { readQuery } from '../../../src/db/sql';
import { findTypedStatements, type Kind, type TypedStatement } from '../../support/sql/typed-statements';
import { postgresUrl } from '../../support/postgres';
import { onOneNode } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const statements = findTypedStatements();
const from = (engine: TypedStatement['engine']): [name: string, statement: TypedStatement][] =>
  statements.filter((one) => one.engine === engine).map((one) => [`${one.name} in ${one.at}`, one]);

/** Each column with what its values may be. */
type Described = ReadonlyMap<string, readonly Kind[]>;

/** The columns that are missing, or may hold what their type does not allow. */
function findFaults({ columns }: TypedStatement, described: Described): string[] {
  return [...columns].flatMap(([name, kinds]) => {
    const real = described.get(name);
    if (!real) return [`${name} is not among ${[...described.keys()].join(', ')}`];
    const fits = kinds.has('any') || real.every((kind) => kind === 'any' || kinds.has(kind));
    return fits ? [] : [`${name} may be ${real.join(' or ')}, not only ${[...kinds].join(' or ')}`];
  });
}

const builtins: Readonly<Record<keyof typeof pg.types.builtins, number>> = pg.types.builtins;
const NUMBERS: ReadonlySet<number> = new Set([
  builtins.INT2,
  builtins.INT4,
  builtins.INT8,
  builtins.FLOAT4,
  builtins.FLOAT8,
  builtins.NUMERIC,
]);
const OBJECTS: ReadonlySet<number> = new Set([builtins.JSON, builtins.JSONB]);
/** Lists of booleans, numbers, texts, times and UUIDs. */
const LISTS: ReadonlySet<number> = new Set([
  1000, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951,
]);

/** What PostgreSQL gives for a type; it does not say whether a column may be null. */
function readPostgresKind(oid: number): Kind {
  if (NUMBERS.has(oid)) return 'number';
  if (oid === builtins.BOOL) return 'boolean';
  if (oid === builtins.TIMESTAMPTZ || oid === builtins.TIMESTAMP) return 'Date';
  if (OBJECTS.has(oid)) return 'any';
  return LISTS.has(oid) || oid === builtins.BYTEA ? 'object' : 'string';
}

/** Describes a statement: parsed by PostgreSQL, and not run. */
class Description {
  private columns: [string, Kind[]][] = [];
  constructor(
    private readonly text: string,
    private readonly done: (error: Error | undefined, columns: Described) => void,
  ) {}
  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Record<'parse' | 'describe' | 'sync', (message?: object) => void>;
    wire.parse({ text: this.text, name: '', types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }
  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => [name, [readPostgresKind(dataTypeID)]]);
  }
  handleError(error: Error): void {
    this.done(error, new Map());
  }
  handleReadyForQuery(): void {
    this.done(undefined, new Map(this.columns));
  }
}

onOneNode('PostgreSQL', () => {
  const client = new pg.Client({ connectionString: postgresUrl(service) });
  beforeAll(() => client.connect());
  afterAll(() => client.end());
  const describeStatement = (text: string) =>
    new Promise<Described>((resolve, reject) => {
      client.query(new Description(text, (error, columns) => (error ? reject(error) : resolve(columns))));
    });

  test.each(from('sql'))('%s', async (_, statement) => {
    expect(findFaults(statement, await describeStatement(readQuery('sql', statement.name)))).toEqual([]);
  });
});

/** Parameters whose values statements are made of. */
const NAMED: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  id_column: 'click_id',
  table: 'clicks',
  chunks: '1',
};
/** Statements about other tables than clicks. */
const TABLES: Readonly<Record<string, string>> = {
  'derive.chunks': 'journey_batches',
  'derive.last-chunk': 'journey_batches',
};

/** A value for a parameter of a statement that is only described. */
function sampleValue(statement: string, name: string, type: string): string {
  const named = name === 'table' ? (TABLES[statement] ?? NAMED.table) : NAMED[name];
  if (named !== undefined) return named;
  if (/^(Array|Map)/.test(type)) return type.startsWith('Map') ? '{}' : '[]';
  if (type.startsWith('Tuple')) return '()';
  if (/^(Nullable\()?(String|LowCardinality|FixedString)/.test(type)) return '';
  if (/UUID/.test(type)) return '00000000-0000-0000-0000-000000000000';
  if (/^(Nullable\()?DateTime/.test(type)) return '2026-01-01 00:00:00';
  if (/^(Nullable\()?Date/.test(type)) return '2026-01-01';
  return '0';
}

function readClickHouseKinds(type: string): Kind[] {
  const nullable = /^(?:LowCardinality\()?Nullable\((.*?)\)/.exec(type);
  if (nullable) return [...readClickHouseKinds(nullable[1] as string), 'null'];
  if (/^(Array|Map|Tuple|Nested)/.test(type)) return ['object'];
  if (/^(U?Int(8|16|32)|Float)/.test(type)) return ['number'];
  // Written as numbers or as texts, as the statement is asked for them.
  if (/^(U?Int(64|128|256)|Decimal)/.test(type)) return ['any'];
  return [type === 'Bool' ? 'boolean' : 'string'];
}

onOneNode('ClickHouse', () => {
  test.each(from('clickhouse'))('%s', async (_, statement) => {
    const text = readQuery('clickhouse', statement.name).replace(/;\s*$/, '');
    const params = Object.fromEntries(
      [...text.matchAll(/\{(\w+):\s*([^}]+)\}/g)].map(([, name = '', type = '']) => [
        name,
        sampleValue(statement.name, name, type.trim()),
      ]),
    );
    const described = await service.clickhouse.query({
      query: `DESCRIBE (${text})`,
      format: 'JSONEachRow',
      query_params: Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, value === '[]' ? [] : value === '{}' ? new Map() : value]),
      ),
    });
    const columns = new Map(
      (await described.json<{ name: string; type: string }>()).map(({ name, type }) => [
        name,
        readClickHouseKinds(type),
      ]),
    );
    expect(findFaults(statement, columns)).toEqual([]);
  });
});

test('most statements with rows are found', () => expect(statements.length).toBeGreaterThan(150));
