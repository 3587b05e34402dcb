/** The workspace: its document, its lists, and what a project consists of (docs/contract/workspace.md). */
import type Router from '@koa/router';
import type { ExportPlaces } from '../configuration/exports';
import type { ResolveTimezone } from '../configuration/timezones';
import type { Queryable, Row } from '../db/postgres';
import { configurationJson, listOfProject, putInForce, type AdministrationParts } from '../http/administration';
import { accountsWith, isOperator, readActor, readPlaces } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readId, readProjectId } from '../http/ids';
import { NOT_ALLOWED } from '../http/permissions';
import { ApiError } from '../errors';
import { closed, list, Type, type TSchema, withDefault } from '../lib/schema';
import type { Seals } from '../lib/seal';
import { ADMINISTRATION, answer, badBody, idParameter, missing, projectId } from '../openapi/administration';
import { errorReply, queryParameter } from '../openapi/operation';
import {
  applyToAccount,
  applyToProject,
  applyWorkspace,
  createProject,
  previewWorkspace,
  refuseDomains,
} from './apply';
import { campaignOperations } from './campaign-routes';
import { accountSettingsSchema, newProjectSchema, projectSettingsSchema, workspaceSchema } from './document';
import { unifyProject, unifyWorkspace } from './form';
import * as queries from './queries';
import { rateOperations } from './rate-routes';
import * as schemas from './schema';
import { deleteApp, deleteStoreListing } from './service';

export interface WorkspaceParts extends AdministrationParts {
  /** At which the service is reached. */
  readonly hosts: ReadonlySet<string>;
  readonly resolveTimezone: ResolveTimezone;
  readonly seals: Seals;
  /** Where scheduled exports may go. */
  readonly exportPlaces: ExportPlaces;
}

const operation = endpoints<WorkspaceParts>();

/** A list of the installation, of which everybody sees a part. */
function listOfAll(
  name: string,
  row: TSchema,
  readRows: (db: Queryable, places: ReturnType<typeof readPlaces>) => Promise<Row[]>,
) {
  const words = name.replace('_', ' ');
  return operation({
    method: 'get',
    path: `/admin/v1/${name}`,
    operationId: `list${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: `List ${words}`,
    description: `All ${words} of the installation.`,
    auth: admin.known,
    responses: { 200: answer(`The ${words}.`, closed({ [name]: list(row) })) },
    handle: async (ctx, { postgres }) => ({ [name]: await readRows(postgres, readPlaces(ctx)) }),
  });
}

const workspaceExample = {
  accounts: [{ name: 'Acme' }],
  partners: [{ name: 'Mobi Ads' }],
  projects: [
    {
      name: 'Acme Shop',
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      website: 'https://acme.example',
      apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
      domains: [{ name: 'go.acme.example', primary: true }],
      partner_switches: [
        { partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: ['com.acme.shop'] },
      ],
      campaigns: [{ display_id: 'AbC123', name: 'Launch', partner: 'Mobi Ads' }],
    },
  ],
};

/** @throws ApiError 404 for an account that is not there, or another's; 403 where the role does not allow it. */
function requireAccount(
  ctx: { state: Record<string, unknown> },
  accounts: readonly { id: number; name: string }[],
  name: string,
): void {
  const account = accounts.find((one) => one.name === name);
  if (!account || !readPlaces(ctx).account(account.id)) throw new ApiError(404, 'Account not found.');
  if (accountsWith(ctx, 'settings')?.includes(account.id) === false) throw new ApiError(403, NOT_ALLOWED);
}

export const workspaceApi: EndpointSection<WorkspaceParts> = {
  ...ADMINISTRATION,
  operations: [
    operation({
      method: 'put',
      path: '/admin/v1/workspace',
      operationId: 'applyWorkspace',
      summary: 'Apply a workspace document',
      description:
        'Creates what is missing, updates what differs, deletes nothing. Applied twice it changes nothing; an ' +
        'error anywhere in it changes nothing either.',
      auth: admin.installation,
      parameters: [
        queryParameter(
          'dry_run',
          '`true`: answers what would change, and changes nothing.',
          withDefault(Type.Boolean(), false),
          true,
        ),
      ],
      body: configurationJson(workspaceSchema, workspaceExample),
      responses: {
        200: answer('What was done.', schemas.applied),
        400: errorReply(
          400,
          'The document is invalid; the message names the field.',
          'projects[0]: "timezone" is required',
        ),
      },
      handle: async (ctx, parts, { readBody, readParameters }) => {
        const document = unifyWorkspace(readBody());
        refuseDomains(document.projects ?? [], parts.hosts);
        const { postgres, resolveTimezone, seals, exportPlaces } = parts;
        const given = { resolveTimezone, seals, exportPlaces };
        if (readParameters().dry_run)
          return { ...(await previewWorkspace(postgres, readActor(ctx), document, given)), dry_run: true };
        return putInForce(parts, applyWorkspace(postgres, readActor(ctx), document, given));
      },
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects',
      operationId: 'createProject',
      summary: 'Make a project',
      description: 'In an account in which one may change settings, with a key of each kind. For operators in any.',
      auth: admin.known,
      idempotent: true,
      body: configurationJson(newProjectSchema, {
        account: 'Acme',
        name: 'Acme Games',
        timezone: 'Europe/Berlin',
        currency: 'EUR',
      }),
      responses: {
        201: answer('The project.', schemas.createdProject),
        400: badBody,
        404: missing('Account'),
        409: errorReply(409, 'The name is taken.', 'The account has a project "Acme Games" already.'),
      },
      handle: async (ctx, parts, { readBody }) => {
        const project = unifyProject(readBody());
        const { postgres, resolveTimezone, seals, exportPlaces } = parts;
        requireAccount(ctx, await queries.readAccounts(postgres), project.account);
        const given = { resolveTimezone, seals, exportPlaces, isOperator: isOperator(ctx) };
        const { id, secrets } = await putInForce(parts, createProject(postgres, readActor(ctx), project, given));
        return { id, name: project.name, secrets };
      },
    }),
    ...rateOperations,
    listOfAll('accounts', schemas.account, async (db, places) =>
      (await queries.readAccounts(db)).filter(({ id }) => places.account(id)),
    ),
    operation({
      method: 'put',
      path: '/admin/v1/accounts/{id}',
      operationId: 'changeAccount',
      summary: 'Change what an account allows',
      description: 'For its owners and operators. In force at the next request; what is left out stays as it is.',
      auth: admin.account('account'),
      parameters: [idParameter('account')],
      body: configurationJson(accountSettingsSchema, { analyst_sql: true }),
      responses: { 200: answer('The account.', schemas.account), 400: badBody, 404: missing('Account') },
      handle: (ctx, parts, { readBody }) => {
        const id = readId(ctx.params.id, 'Account');
        return putInForce(parts, applyToAccount(parts.postgres, readActor(ctx), id, readBody()));
      },
    }),
    listOfAll('exchange_rates', schemas.exchangeRate, (db) => queries.readExchangeRates(db)),
    listOfAll('projects', schemas.project, async (db, places) =>
      (await queries.readProjects(db))
        .filter(({ account_id }) => places.account(account_id))
        .map(({ account_id: _, ...rest }) => rest),
    ),
    operation({
      method: 'put',
      path: '/admin/v1/projects/{id}',
      operationId: 'applyToProject',
      summary: 'Change a project',
      description:
        'What a workspace document says of one project, without account, created_at and keys; the rest stays. A new ' +
        '`name` renames the project; one that another project of the account has is refused. ' +
        'Domains that no operator names are pending until they are proven; an app ID is of one account.',
      auth: admin.project('settings'),
      parameters: [projectId],
      body: configurationJson(projectSettingsSchema, { currency: 'USD', attribution: { view_window_hours: 12 } }),
      responses: {
        200: answer('What was done.', schemas.applied),
        400: badBody,
        404: missing('Project'),
        409: errorReply(409, 'Another account has the app ID.', 'This app ID belongs to another account.'),
      },
      handle: (ctx, parts, { readBody }) => {
        const settings = unifyProject(readBody());
        refuseDomains([settings], parts.hosts, () => 'body');
        const { postgres, resolveTimezone, seals, exportPlaces } = parts;
        const given = { resolveTimezone, seals, exportPlaces, isOperator: isOperator(ctx) };
        return putInForce(parts, applyToProject(postgres, readActor(ctx), readProjectId(ctx), settings, given));
      },
    }),
    listOfProject('apps', schemas.app, queries.readApps),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/apps/{app}',
      operationId: 'deleteApp',
      summary: 'Delete an app of a project',
      description:
        'What it sends from now on is refused, and links on the domains of the project open it no more. What it sent ' +
        'stays, in reports too.',
      auth: admin.project('settings'),
      parameters: [projectId, idParameter('app', 'app')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('App'),
        409: errorReply(409, 'Partners have CTV on for it.', 'Still in ctv_apps of partners: Mobi Ads.'),
      },
      handle: (ctx, parts) => {
        const [project, app] = [readProjectId(ctx), readId(ctx.params.app, 'App')];
        return putInForce(parts, deleteApp(parts.postgres, readActor(ctx), project, app));
      },
    }),
    listOfProject('store_listings', schemas.storeListing, queries.readStoreListings),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/store_listings/{listing}',
      operationId: 'deleteStoreListing',
      summary: 'Delete a store listing of a project',
      description: "Campaigns without listings of their own lead to the project's next one, or to the website.",
      auth: admin.project('settings'),
      parameters: [projectId, idParameter('store listing', 'listing')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('Store listing'),
        409: errorReply(409, 'Campaigns have it.', 'Still in store_listings of campaigns: AbC123, Spring and more.'),
      },
      handle: (ctx, parts) => {
        const [project, listing] = [readProjectId(ctx), readId(ctx.params.listing, 'Store listing')];
        return putInForce(parts, deleteStoreListing(parts.postgres, readActor(ctx), project, listing));
      },
    }),
    listOfProject('network_accounts', schemas.networkAccount, queries.readNetworkAccounts),
    ...campaignOperations,
  ],
};

export const workspaceRoutes = (parts: WorkspaceParts): Router => createRoutes(workspaceApi, parts);
