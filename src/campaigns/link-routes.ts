/** The endpoints of links: what they are like, and what they have besides their targets (docs/contract/). */
import { readCaller } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { endpoints, json, type Endpoint, type PathContext } from '../http/endpoint';
import { toPage } from '../lib/page';
import { closed, list, Type } from '../lib/schema';
import { validator } from '../lib/validate';
import {
  errorReply,
  pageParameters,
  paginationSchema,
  pathParameter,
  queryParameter,
  rateLimited,
} from '../openapi/operation';
import { pageOutOfBounds } from '../openapi/replies';
import { readCreateInput } from './input';
import { importOperation } from './link-import-routes';
import * as schema from './link-schema';
import * as service from './link-service';
import { asked, changed, toLinkParts, type CampaignsParts } from './parts';
import { listLimits } from './schema';

const operation = endpoints<CampaignsParts>();

const reads = serviceKey('reports');
const changes = serviceKey('links');
const displayId = pathParameter('display_id', "The campaign's display ID.", Type.String(), 'AbC123');
const notFound = errorReply(404, 'The project has no such link.', 'Campaign not found!');
const badBody = errorReply(400, 'A field is invalid.', 'utm.utm_source: must be in lower case');
const wantedLink = (ctx: PathContext<'display_id'>) => ctx.params.display_id;

const checkSettings = validator(schema.settingsSchema);

/** A new link: the fields of a new campaign, and those of its link. */
function readNewLink(body: Readonly<Record<string, unknown>>) {
  const { tags, utm, expires_at, expired_target, preview } = body;
  const given = Object.entries({ tags: tags ?? [], utm, expires_at, expired_target, preview });
  const settings = checkSettings(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  return { input: readCreateInput(body), settings };
}

export const linkOperations: readonly Endpoint<CampaignsParts>[] = [
  operation({
    method: 'get',
    path: '/api/v1/links',
    operationId: 'listLinks',
    summary: 'List links',
    description: 'Newest first, each with whether it works and what is wrong if it does not.',
    auth: reads,
    parameters: [
      queryParameter('tag', 'Links with this tag.', Type.String({ maxLength: schema.LINK_LIMITS.tag }), 'print'),
      ...pageParameters(listLimits),
    ],
    responses: {
      200: {
        description: 'A page of links.',
        schema: closed({ links: list(schema.linkSchema), pagination: paginationSchema }),
      },
      422: pageOutOfBounds,
      429: rateLimited,
    },
    handle: (ctx, parts, { readParameters }) => {
      const { tag = null, ...page } = readParameters();
      return asked(ctx, parts, ({ project }) => service.listLinks(toLinkParts(parts), project, tag, toPage(page)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/links',
    operationId: 'createLink',
    summary: 'Create a link',
    description:
      'A campaign, as `create-campaign` makes it, with tags, UTM values, an end and a preview of its link. The ' +
      'answer says whether the link works.',
    auth: changes,
    idempotent: true,
    body: json({
      schema: schema.newLinkSchema,
      example: {
        name: 'Poster',
        link_for_desktop_users: 'https://acme.example/sale',
        tags: ['print'],
        utm: { utm_source: 'poster' },
      },
      limit: '100kb',
      parse: readNewLink,
    }),
    responses: {
      201: { description: 'The link.', schema: schema.linkSchema },
      400: badBody,
      409: errorReply(409, 'The display ID is taken.', "Campaign with custom_display_id 'spring' already exists!"),
      429: rateLimited,
    },
    handle: async (ctx, parts, { readBody }) => {
      const { input, settings } = readBody();
      const id = await changed(ctx, parts, (found) => service.createLink(toLinkParts(parts), found, input, settings));
      return service.readLink(toLinkParts(parts), readCaller(ctx).project, id);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/links/{display_id}',
    operationId: 'getLink',
    summary: 'Show a link',
    description: 'With whether it works, and what is wrong if it does not.',
    auth: reads,
    parameters: [displayId],
    responses: { 200: { description: 'The link.', schema: schema.linkSchema }, 404: notFound, 429: rateLimited },
    handle: (ctx, parts) =>
      asked(ctx, parts, ({ project }) => service.readLink(toLinkParts(parts), project, wantedLink(ctx))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/links/{display_id}',
    operationId: 'changeLink',
    summary: 'Change a link',
    description: 'Its tags, UTM values, end and preview: what is not sent stays. Links follow at once.',
    auth: changes,
    parameters: [displayId],
    body: json({
      schema: schema.settingsSchema,
      example: { tags: ['print'], expires_at: '2026-12-24T23:00:00Z', expired_target: 'https://acme.example/over' },
      limit: '100kb',
    }),
    responses: {
      200: { description: 'The link as it is now.', schema: schema.linkSchema },
      400: badBody,
      404: notFound,
      429: rateLimited,
    },
    handle: async (ctx, parts, { readBody }) => {
      const settings = readBody();
      await changed(ctx, parts, (found) => service.changeLink(toLinkParts(parts), found, wantedLink(ctx), settings));
      return service.readLink(toLinkParts(parts), readCaller(ctx).project, wantedLink(ctx));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/link-edits',
    operationId: 'editLinks',
    summary: 'Change many links',
    description: `Up to ${schema.LINK_LIMITS.edits} at once: all of them, or none.`,
    auth: changes,
    body: json({
      schema: schema.editsSchema,
      example: { display_ids: ['AbC123'], add_tags: ['print'], remove_tags: ['draft'], active: true },
      limit: '200kb',
    }),
    responses: {
      200: { description: 'They are changed.', schema: closed({ changed: Type.Integer({ minimum: 1 }) }) },
      400: errorReply(400, 'A field is invalid.', 'add_tags: poster would have more than 20 tags'),
      404: errorReply(404, 'The project does not have all of them.', 'display_ids: the project has no AbC123'),
      429: rateLimited,
    },
    handle: (ctx, parts, { readBody }) => {
      const edits = readBody();
      return changed(ctx, parts, (found) => service.editLinks(toLinkParts(parts), found, edits));
    },
  }),
  importOperation,
  operation({
    method: 'get',
    path: '/api/v1/link-tags',
    operationId: 'listLinkTags',
    summary: 'List the tags of links',
    description: 'By name, up to 1,000.',
    auth: reads,
    responses: { 200: { description: 'All that links have.', schema: schema.tagsSchema }, 429: rateLimited },
    handle: (ctx, parts) =>
      asked(ctx, parts, async ({ project }) => ({ tags: await service.listTags(parts.postgres, project) })),
  }),
  operation({
    method: 'get',
    path: '/api/v1/link-domains',
    operationId: 'listLinkDomains',
    summary: 'List the domains that links can have',
    description: 'The primary one first, each with whether its links work. The service looks at each once an hour.',
    auth: reads,
    responses: { 200: { description: 'All of the project.', schema: schema.domainsSchema }, 429: rateLimited },
    handle: (ctx, parts) =>
      asked(ctx, parts, async ({ project }) => ({
        domains: await service.listLinkDomains(parts.postgres, project),
      })),
  }),
  operation({
    method: 'get',
    path: '/api/v1/utm-rules',
    operationId: 'getUtmRules',
    summary: 'Show how UTM values are written',
    description: 'The rules of the project, and the values that its links have.',
    auth: reads,
    responses: { 200: { description: 'The rules.', schema: schema.rulesAnswerSchema }, 429: rateLimited },
    handle: (ctx, parts) => asked(ctx, parts, ({ project }) => service.readRules(parts.postgres, project)),
  }),
  operation({
    method: 'put',
    path: '/api/v1/utm-rules',
    operationId: 'putUtmRules',
    summary: 'Set how UTM values are written',
    description: 'In place of the rules before. They hold for links that are made or changed from then on.',
    auth: changes,
    body: json({
      schema: schema.rulesSchema,
      example: {
        lower_case: true,
        separator: '-',
        required: ['utm_source', 'utm_medium'],
        allowed: { utm_medium: ['email', 'social', 'print'] },
      },
      limit: '1mb',
    }),
    responses: {
      200: { description: 'The rules as they are now.', schema: schema.rulesAnswerSchema },
      400: errorReply(400, 'A field is invalid.', 'lower_case: must be a boolean'),
      429: rateLimited,
    },
    handle: (ctx, parts, { readBody }) => {
      const rules = readBody();
      return changed(ctx, parts, (found) => service.putRules(parts.postgres, found, rules));
    },
  }),
];
