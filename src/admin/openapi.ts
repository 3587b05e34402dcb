/** Administration for the OpenAPI document (docs/contract/workspace.md). */
import { closed, list, Type, type TSchema } from '../lib/schema';
import { errorReply, pageParameters, paginationSchema, type ApiSection, type Parameter } from '../openapi/operation';
import {
  appliedSchema,
  campaignPage,
  campaignRow,
  createdKeySchema,
  createdReaderSchema,
  createdTokenSchema,
  keySchema,
  pausedSchema,
  PROJECT_ROWS,
  ROWS,
  readersSchema,
  storedSwitchesSchema,
} from './schema';
import { domainCheckOperation, domainConfirmOperation } from './domain-schema';
import { answer, idParameter, missing, operation, partnerId, projectId } from './operation';
import { projectSettingsSchema, switchesSchema, workspaceSchema } from './workspace-schema';

const displayId: Parameter = {
  name: 'display_id',
  in: 'path',
  description: "The campaign's display ID.",
  schema: Type.String({ minLength: 1 }),
  example: 'AbC123',
};

const noUsers = errorReply(
  409,
  'ClickHouse does not let the service make users.',
  'ClickHouse does not let the service make users.',
);
const noCampaign = errorReply(404, 'The project has no such campaign.', 'Campaign not found!');
const plain = (name: string) => name.replaceAll('_', ' ');
const pascal = (name: string) =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

const lists = ['accounts', 'partners', 'exchange_rates', 'projects'].map((name) =>
  operation({
    method: 'get',
    at: `/${name}`,
    operationId: `list${pascal(name)}`,
    summary: `List ${plain(name)}`,
    description: `All ${plain(name)} of the installation.`,
    responses: { 200: answer(`The ${plain(name)}.`, closed({ [name]: list(ROWS[name] as TSchema) })) },
  }),
);
const projectLists = Object.entries(PROJECT_ROWS).map(([name, row]) =>
  operation({
    method: 'get',
    at: `/projects/{id}/${name}`,
    operationId: `listProject${pascal(name)}`,
    summary: `List the ${plain(name)} of a project`,
    description: `All ${plain(name)} of a project, those no longer in force included.`,
    parameters: [projectId],
    responses: { 200: answer(`The ${plain(name)}.`, closed({ [name]: list(row) })), 404: missing('Project') },
  }),
);

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

export const adminApi: ApiSection = {
  tag: 'Administration',
  description: 'The configuration, with the admin token or for persons whose role allows it.',
  operations: [
    operation({
      method: 'put',
      at: '/workspace',
      operationId: 'applyWorkspace',
      summary: 'Apply a workspace document',
      description:
        'Creates what is missing, updates what differs, deletes nothing. Applied twice it changes nothing; an ' +
        'error anywhere in it changes nothing either.',
      body: { schema: workspaceSchema, example: workspaceExample },
      responses: {
        200: answer('What was done.', appliedSchema),
        400: errorReply(
          400,
          'The document is invalid; the message names the field.',
          'projects[0]: "timezone" is required',
        ),
      },
    }),
    ...lists,
    operation({
      method: 'get',
      at: '/partners/{id}/tokens',
      operationId: 'listPartnerTokens',
      summary: 'List the tokens of a partner',
      description: 'Those that no longer work too. The tokens themselves are kept by nobody.',
      parameters: [partnerId],
      responses: {
        200: answer('The tokens.', closed({ tokens: list(ROWS.tokens as TSchema) })),
        404: missing('Partner'),
      },
    }),
    operation({
      method: 'post',
      at: '/partners/{id}/tokens',
      operationId: 'createPartnerToken',
      summary: 'Create or rotate a token',
      description: 'Each token before it works for another 24 hours from its own rotation.',
      parameters: [partnerId],
      responses: { 201: answer('The token.', createdTokenSchema), 404: missing('Partner') },
    }),
    operation({
      method: 'delete',
      at: '/partners/{id}/tokens',
      operationId: 'revokePartnerTokens',
      summary: 'Revoke all tokens of a partner',
      description: 'At once, former ones too.',
      parameters: [partnerId],
      responses: { 204: { description: 'They are revoked.' }, 404: missing('Partner') },
    }),
    ...projectLists,
    operation({
      method: 'get',
      at: '/projects/{id}/campaigns',
      operationId: 'listProjectCampaigns',
      summary: 'List the campaigns of a project',
      description: 'Newest first, in pages.',
      parameters: [projectId, ...pageParameters(campaignPage)],
      responses: {
        200: answer('A page of campaigns.', closed({ campaigns: list(campaignRow), pagination: paginationSchema })),
        404: missing('Project'),
        422: errorReply(
          422,
          '`page` or `limit` is out of bounds.',
          "Invalid page number '0'. Page must be a positive integer.",
        ),
      },
    }),
    operation({
      method: 'post',
      at: '/projects/{id}/keys',
      operationId: 'createKey',
      summary: 'Create a key',
      description: 'A server, app or web key beside those that the project has.',
      parameters: [projectId],
      body: { schema: keySchema, example: { kind: 'server_key' } },
      responses: { 201: answer('The key.', createdKeySchema), 404: missing('Project') },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/keys/{key_id}',
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'At once and for good.',
      parameters: [projectId, idParameter('key', 'key_id')],
      responses: { 204: { description: 'It is revoked.' }, 404: missing('Key') },
    }),
    domainCheckOperation,
    domainConfirmOperation,
    operation({
      method: 'delete',
      at: '/projects/{id}/domains/{domain_id}',
      operationId: 'deleteDomain',
      summary: 'Delete a tracking domain',
      description: 'Its links end at once; campaigns that had it use the primary domain.',
      parameters: [projectId, idParameter('domain', 'domain_id')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('Domain'),
        409: errorReply(409, 'It is the primary one of several.', 'Make another domain the primary one first.'),
      },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/apps/{app}',
      operationId: 'deleteApp',
      summary: 'Delete an app of a project',
      description:
        'What it sends from now on is refused, and links on the domains of the project open it no more. What it sent ' +
        'stays, in reports too.',
      parameters: [projectId, idParameter('app', 'app')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('App'),
        409: errorReply(409, 'Partners have CTV on for it.', 'Still in ctv_apps of partners: Mobi Ads.'),
      },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/store_listings/{listing}',
      operationId: 'deleteStoreListing',
      summary: 'Delete a store listing of a project',
      description: "Campaigns without listings of their own lead to the project's next one, or to the website.",
      parameters: [projectId, idParameter('store listing', 'listing')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('Store listing'),
        409: errorReply(409, 'Campaigns have it.', 'Still in store_listings of campaigns: AbC123, Spring and more.'),
      },
    }),
    operation({
      method: 'get',
      at: '/projects/{id}/readers',
      operationId: 'listReaders',
      summary: 'List the ClickHouse users of a project',
      description: 'Where ClickHouse is, and the users that see this project only.',
      parameters: [projectId],
      responses: { 200: answer('Address and users.', readersSchema), 404: missing('Project'), 409: noUsers },
    }),
    operation({
      method: 'post',
      at: '/projects/{id}/readers',
      operationId: 'createReader',
      summary: 'Create a ClickHouse user of a project',
      description:
        'A user of ClickHouse that reads the views of `analytics`, of this project only. Its password is shown this ' +
        'once.',
      parameters: [projectId],
      responses: { 201: answer('The user.', createdReaderSchema), 404: missing('Project'), 409: noUsers },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/readers/{user}',
      operationId: 'revokeReader',
      summary: 'Revoke a ClickHouse user of a project',
      description: 'At once and for good.',
      parameters: [
        projectId,
        {
          name: 'user',
          in: 'path',
          description: 'The name that its creation told.',
          schema: Type.String({ minLength: 1 }),
          example: 'reader_1_0a1b2c3d',
        },
      ],
      responses: { 204: { description: 'It is revoked.' }, 404: missing('Reader'), 409: noUsers },
    }),
    operation({
      method: 'put',
      at: '/projects/{id}',
      operationId: 'applyToProject',
      summary: 'Change a project',
      description:
        'What a workspace document says of one project, without account, created_at and keys; the rest stays. A new ' +
        '`name` renames the project; one that another project of the account has is refused. ' +
        'Domains that no operator names are pending until they are proven; an app ID is of one account.',
      parameters: [projectId],
      body: { schema: projectSettingsSchema, example: { currency: 'USD', attribution: { view_window_hours: 12 } } },
      responses: {
        200: answer('What was done.', appliedSchema),
        404: missing('Project'),
        409: errorReply(409, 'Another account has the app ID.', 'This app ID belongs to another account.'),
      },
    }),
    operation({
      method: 'put',
      at: '/projects/{id}/partners/{partner_id}',
      operationId: 'setPartnerSwitches',
      summary: 'Set the switches of a partner',
      description: 'What the advertiser turns on for the partner in the project; what is left out stays.',
      parameters: [projectId, idParameter('partner', 'partner_id')],
      body: { schema: switchesSchema, example: { s2s_clicks: true, view_window_hours: 12 } },
      responses: { 200: answer('All switches.', storedSwitchesSchema), 404: missing('Partner') },
    }),
    ...(['pause', 'unpause'] as const).map((verb) =>
      operation({
        method: 'post',
        at: `/projects/{id}/campaigns/{display_id}/${verb}`,
        operationId: `${verb}Campaign`,
        summary: verb === 'pause' ? 'Pause a web campaign' : 'Unpause a web campaign',
        description: 'From now on; a paused campaign stops counting, and its links go on. Twice changes nothing.',
        parameters: [projectId, displayId],
        responses: { 200: answer('Whether it is paused.', pausedSchema), 404: noCampaign },
      }),
    ),
    operation({
      method: 'delete',
      at: '/projects/{id}/channels/{slug}',
      operationId: 'deactivateChannel',
      summary: 'Deactivate a custom channel',
      description: 'Campaigns keep it; nothing new gets it, and its name stays taken.',
      parameters: [
        projectId,
        {
          name: 'slug',
          in: 'path',
          description: "The channel's code.",
          schema: Type.String({ minLength: 1 }),
          example: 'newsletter',
        },
      ],
      responses: { 204: { description: 'It is deactivated.' }, 404: missing('Channel') },
    }),
  ],
};
