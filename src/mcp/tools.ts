/** The tools of the MCP server: what each is called, takes, needs and answers (docs/contract/mcp.md). */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';
import type { Static, TSchema } from '../lib/schema';
import { validator } from '../lib/validate';
import { askQuery, type AskParts } from '../questions/ask';
import { described } from '../questions/model';
import { readQueryInput } from '../questions/query-input';
import * as schema from './schema';
import { explainChange, readChangeInput } from './what-changed';

interface Table {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly object[];
}

/** What other features do for the tools. */
export interface ToolParts extends AskParts {
  readonly limits: Readonly<Record<'query' | 'data', RateLimiterAbstract | undefined>>;
  /** @throws ApiError 404 for an install that was never received. */
  readonly explainInstall: (projectId: number, installId: string) => Promise<object>;
  readonly runSql: (projectId: number, query: string, limit: number) => Promise<object>;
  readonly readTables: () => Promise<{ readonly database: string; readonly tables: readonly Table[] }>;
  readonly partnerQuality: (projectId: number, query: URLSearchParams) => Promise<object>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TSchema;
  /** What a key, or the role of a person, must permit. */
  readonly permission: 'reports' | 'installs' | 'sql';
  /** The limit that a call counts against, by key. */
  readonly limit: 'query' | 'data';
  /** The fields of answers in which there can be text that strangers wrote. */
  readonly untrusted: readonly string[];
  /** @throws ApiError that names what is wrong with the arguments. */
  readonly call: (parts: ToolParts, projectId: number, args: unknown) => Promise<object>;
}

function tool<S extends TSchema>(
  given: Omit<Tool, 'call' | 'inputSchema'> & {
    readonly inputSchema: S;
    readonly run: (parts: ToolParts, projectId: number, args: Static<S>) => Promise<object>;
  },
): Tool {
  const { run, ...more } = given;
  const read = validator(given.inputSchema);
  return { ...more, call: (parts, projectId, args) => run(parts, projectId, read(args)) };
}

const describeModel = (source: keyof typeof described) => {
  const { metrics, dimensions } = described[source];
  const written = metrics.map(({ name, label, about, format }) => {
    const text = about === undefined ? label : `${label}: ${about}`;
    return `${name} (${text}; ${format})`;
  });
  const list = (is: 'rows' | 'filters') => dimensions.filter((one) => one[is]).map(({ name }) => name);
  return (
    `Source ${source}. Metrics: ${written.join('; ')}. Dimensions: ${list('rows').join(', ')}. ` +
    `Filters: ${list('filters').join(', ')}.`
  );
};
const MODELS = `${describeModel('app')}\n${describeModel('web')}\nN is a day, <name> the name of an event.`;

interface Which {
  readonly filters?: readonly { operator: string; dimension: string; values: readonly string[] }[];
  readonly organic?: boolean;
}
/** As the query endpoint takes them. */
const toFilters = ({ filters }: Which) =>
  filters ? { filters: filters.map(({ operator, dimension, values }) => [operator, dimension, values]) } : {};

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'query',
    title: 'Ask for figures',
    description:
      'Figures of app campaigns or web visits by any dimensions. The values of a row are in the order of ' +
      `query.dimensions and query.metrics; null where there is none.\n${MODELS}`,
    inputSchema: schema.queryInput,
    permission: 'reports',
    limit: 'query',
    untrusted: ['results[].dimensions', 'results[].labels'],
    run: (parts, projectId, { filters, organic, totals, order_by, limit, ...more }) =>
      askQuery(
        parts,
        projectId,
        readQueryInput({
          ...more,
          ...toFilters({ ...(filters ? { filters } : {}) }),
          ...(order_by ? { order_by: order_by.map(({ name, direction }) => [name, direction]) } : {}),
          limit: limit ?? schema.ROWS.default,
          include: [...(organic === false ? [] : ['organic']), ...(totals === true ? ['totals'] : [])],
        }),
      ),
  }),
  tool({
    name: 'what_changed',
    title: 'Explain a change',
    description:
      'Takes the difference of a metric between two ranges apart by the values of a dimension: parts, others and ' +
      'remainder add up to the difference exactly. A quotient has a rate effect (the quotient of the value itself ' +
      'changed), a mix effect (its weight changed) and what is unmatched (amounts without a divisor). The remainder ' +
      'is what counts in several values, or in none. Numbers are texts of exact decimals. Metrics and dimensions are ' +
      'those of the tool query; times are no dimensions here.',
    inputSchema: schema.changeInput,
    permission: 'reports',
    limit: 'query',
    untrusted: ['parts[].value', 'parts[].label'],
    run: (parts, projectId, { filters, organic, limit, ...more }) =>
      explainChange(
        parts,
        projectId,
        readChangeInput({
          ...more,
          ...toFilters({ ...(filters ? { filters } : {}) }),
          include: organic === false ? [] : ['organic'],
        }),
        limit ?? schema.PARTS.default,
      ),
  }),
  tool({
    name: 'partner_quality',
    title: 'Show the quality of partners',
    description:
      'What the traffic of each partner is worth: clicks, installs, suspicious ones, repeats, refusals by reason, ' +
      'installs by address, time from click to install.',
    inputSchema: schema.qualityInput,
    permission: 'reports',
    limit: 'query',
    untrusted: ['partners[].partner'],
    run: (parts, projectId, { from, to, partner_id }) =>
      parts.partnerQuality(
        projectId,
        new URLSearchParams({ from, to, ...(partner_id === undefined ? {} : { partner_id: String(partner_id) }) }),
      ),
  }),
  tool({
    name: 'explain_install',
    title: 'Explain the attribution of an install',
    description:
      'Why an install was credited as it was: every touch that was considered, with its rule, its window and what ' +
      'became of it.',
    inputSchema: schema.installInput,
    permission: 'installs',
    limit: 'data',
    untrusted: ['install', 'decision', 'candidates'],
    run: (parts, projectId, { install_id }) => parts.explainInstall(projectId, install_id),
  }),
  tool({
    name: 'schema',
    title: 'List the tables that SQL reads',
    description: 'The tables with their comments; with `table` the columns of that one, with types and comments.',
    inputSchema: schema.tablesInput,
    permission: 'sql',
    limit: 'data',
    untrusted: [],
    run: async (parts, _projectId, { table }) => {
      const { database, tables } = await parts.readTables();
      if (table === undefined) return { database, tables: tables.map(({ name, comment }) => ({ name, comment })) };
      const found = tables.find(({ name }) => name === table);
      if (!found) throw new ApiError(404, `table: must be one of ${tables.map(({ name }) => name).join(', ')}`);
      return { database, tables: [found] };
    },
  }),
  tool({
    name: 'sql',
    title: 'Run a SELECT',
    description:
      'Runs one statement of ClickHouse over the views that the tool schema lists, of which only the rows of the ' +
      'project are there. It may take 15 seconds and 1 GB; ask for aggregates rather than for rows.',
    inputSchema: schema.sqlInput,
    permission: 'sql',
    limit: 'data',
    untrusted: ['columns', 'rows'],
    run: (parts, projectId, { query, limit }) => parts.runSql(projectId, query, limit ?? schema.ROWS.default),
  }),
];
