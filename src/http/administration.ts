/** What endpoints of administration share. */
import type { Middleware } from 'koa';
import { mustExist } from '../configuration/must-exist';
import type { Postgres, Queryable, Row } from '../db/postgres';
import { closed, list, type Static, type TSchema } from '../lib/schema';
import { answer, missing, projectId } from '../openapi/administration';
import { personIn, type Administrators } from './administrators';
import { admin } from './auth-schemes';
import { jsonBody } from './body';
import { endpoints, json, type BodyForm, type Endpoint } from './endpoint';
import { readProjectId } from './ids';
import type { AccountPermission } from './permissions';

/** What changes of the configuration need. */
export interface AdministrationParts {
  readonly postgres: Postgres;
  readonly admins: Administrators;
  /** Brings this process up to date with a change; the others hear of it from PostgreSQL. */
  readonly refresh: () => Promise<void>;
  readonly now: () => number;
}

/** Answers with a change once this process knows of it. */
export async function putInForce<T>({ refresh }: Pick<AdministrationParts, 'refresh'>, work: Promise<T>): Promise<T> {
  const result = await work;
  await refresh();
  return result;
}

/** From the admin token: a document of 200,000 campaigns with 20 fields each. */
const LARGE = jsonBody('50mb', { maxValues: 4_000_000 });
/** From people, many of whom share a process: what it takes some tenths of a second to read. */
const SMALL = jsonBody('1mb', { maxValues: 50_000 });
const read: Middleware = async (ctx, next) => {
  await (personIn(ctx) ? SMALL : LARGE)(ctx, next);
};

/** A part of the configuration as JSON, which may be large from the admin token. */
export const configurationJson = <S extends TSchema>(schema: S, example: unknown): BodyForm<Static<S>> => ({
  ...json({ schema, example, limit: '50mb' }),
  read,
});

type ProjectListParts = Pick<AdministrationParts, 'postgres' | 'admins'>;

const operation = endpoints<ProjectListParts>();

/** `GET /admin/v1/projects/{id}/<name>`: everything of a kind that a project has. */
export function listOfProject(
  name: string,
  row: TSchema,
  readRows: (db: Queryable, project: number) => Promise<Row[]>,
  permission: AccountPermission = 'reports',
): Endpoint<ProjectListParts> {
  const words = name.split('_');
  return operation({
    method: 'get',
    path: `/admin/v1/projects/{id}/${name}`,
    operationId: `listProject${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`,
    summary: `List the ${words.join(' ')} of a project`,
    description: `All ${words.join(' ')} of a project, those no longer in force included.`,
    auth: admin.project(permission),
    parameters: [projectId],
    responses: { 200: answer(`The ${words.join(' ')}.`, closed({ [name]: list(row) })), 404: missing('Project') },
    handle: async (ctx, { postgres }) => {
      const project = readProjectId(ctx);
      await mustExist(postgres, 'projects', project);
      return { [name]: await readRows(postgres, project) };
    },
  });
}
