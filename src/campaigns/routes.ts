/** The campaign endpoints (docs/contract/campaigns.md). */
import type Router from '@koa/router';
import { caller } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { closed, list, Type } from '../lib/schema';
import {
  envelope,
  errorReply,
  paginationSchema,
  rateLimited,
  type Parameter,
  type Response,
} from '../openapi/operation';
import { pageOutOfBounds } from '../openapi/replies';
import { errors } from './errors';
import { listParameters, readCreateInput, readEditInput, toListInput } from './input';
import { linkOperations } from './link-routes';
import { asked, changed, type CampaignsParts } from './parts';
import * as schema from './schema';
import { createCampaign, deleteCampaign, editCampaign, listCampaigns } from './service';

const operation = endpoints<CampaignsParts>();

const MANAGER_TEXTS = { missing: 'Server key missing!', invalid: 'Server key invalid!' };
const manager = serviceKey('links', { texts: MANAGER_TEXTS });
const notFound = errorReply(404, 'The project has no such campaign.', 'Campaign not found!');
const channelDeleted = errorReply(
  409,
  'The custom channel was deactivated.',
  'Channel name conflicts with a previously deleted channel - pick a different name',
);
const displayId: Parameter = {
  name: 'display_id',
  in: 'path',
  description: "The campaign's display ID.",
  schema: Type.String({ minLength: 1 }),
  example: 'AbC123',
};
const reply = (code: number, description: string, data: Parameters<typeof envelope>[1]): Response => ({
  description,
  schema: envelope(code, data),
});

/** In order: the key, the parameters, the limit of the key, then the work (docs/contract/main-api.md). */
export const campaignApi: EndpointSection<CampaignsParts> = {
  tag: 'Campaigns',
  description: 'Campaign data and management, with the server key of a project.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/campaigns',
      operationId: 'listCampaigns',
      summary: 'List campaigns',
      description: 'Newest first. What a filter names and the project does not have is an error, not an empty list.',
      auth: serviceKey('reports'),
      parameters: listParameters,
      responses: {
        200: reply(
          200,
          'A page of campaigns.',
          closed({
            total_campaigns: Type.Integer({ minimum: 0 }),
            campaigns: list(schema.listedSchema),
            pagination: paginationSchema,
          }),
        ),
        400: errorReply(
          400,
          'A filter is invalid, or names what the project does not have.',
          "Invalid channel 'Nobody'. Channel not found.",
        ),
        422: pageOutOfBounds,
        429: rateLimited,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const input = toListInput(readParameters());
        const { campaigns, pagination } = await asked(ctx, parts, ({ project }) =>
          listCampaigns(parts.postgres, parts.access.snapshot, parts.attributedUsers, project, input),
        );
        const msg = `${campaigns.length} campaigns retrieved, page ${pagination.page} of ${pagination.pages}.`;
        return { msg, status: 200, data: { total_campaigns: pagination.total, campaigns, pagination } };
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/create-campaign',
      operationId: 'createCampaign',
      summary: 'Create a campaign',
      description: 'Makes a campaign and its tracking link. Unknown fields are ignored.',
      auth: manager,
      idempotent: true,
      body: json({
        schema: schema.createSchema,
        example: {
          name: 'Spring sale',
          deeplink: 'acme://sale',
          link_for_desktop_users: 'https://acme.example/sale',
          custom_channel_names: ['Newsletter'],
        },
        limit: '100kb',
        parse: readCreateInput,
      }),
      responses: {
        201: reply(201, 'The campaign.', schema.createdSchema),
        400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'Campaign name is required!'),
        409: errorReply(
          409,
          'The display ID is taken, or the custom channel was deactivated.',
          "Campaign with custom_display_id 'spring' already exists!",
        ),
        429: rateLimited,
      },
      handle: async (ctx, parts, { readBody }) => {
        const input = readBody();
        const data = await changed(ctx, parts, (found) =>
          createCampaign(parts.postgres, parts.access.snapshot, found, input),
        );
        return { msg: 'Campaign created successfully.', status: 201, data };
      },
    }),
    operation({
      method: 'patch',
      path: '/api/v1/campaigns/{display_id}',
      operationId: 'editCampaign',
      summary: 'Edit a campaign',
      description:
        'Changes what is sent and leaves the rest; links follow at once. Null or empty clears a URL, an empty ' +
        'array the channel.',
      auth: manager,
      parameters: [displayId],
      body: json({
        schema: schema.editSchema,
        example: { name: 'Summer sale', active: true, website: 'https://acme.example/summer' },
        limit: '100kb',
        parse: readEditInput,
      }),
      responses: {
        200: reply(200, 'The campaign as it is now.', schema.editedSchema),
        400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'Campaign name cannot be empty!'),
        404: notFound,
        409: channelDeleted,
        429: rateLimited,
      },
      handle: async (ctx, parts, { readBody }) => {
        const input = readBody();
        const data = await changed(ctx, parts, (found) =>
          editCampaign(parts.postgres, parts.attributedUsers, found, ctx.params.display_id, input),
        );
        return { msg: 'Campaign updated successfully.', status: 200, data };
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/campaigns/{display_id}',
      operationId: 'deleteCampaign',
      summary: 'Delete a campaign',
      description: 'For good: its display ID is not given out again. Only manually-created campaigns can be deleted.',
      auth: manager,
      parameters: [displayId],
      responses: {
        204: { description: 'The campaign is deleted.' },
        400: errorReply(
          400,
          'A system campaign, or one of an ad network.',
          'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns ' +
            'cannot be deleted.',
        ),
        404: notFound,
        429: rateLimited,
      },
      handle: async (ctx, parts) => {
        await changed(ctx, parts, (found) => deleteCampaign(parts.postgres, found, ctx.params.display_id));
      },
    }),
  ],
};

/** The links of campaigns: their state, tags, UTM values, ends and previews. */
export const campaignLinksApi: EndpointSection<CampaignsParts> = {
  tag: 'Links',
  description: 'What the links of campaigns do, for those who make them.',
  operations: linkOperations,
};

/** Their endpoints; an edit or deletion that names no campaign is told so. */
export function campaignRoutes(parts: CampaignsParts): Router {
  const router = createRoutes({ operations: [...campaignApi.operations, ...linkOperations] }, parts);
  for (const method of ['patch', 'delete'] as const) {
    router[method]('/api/v1/campaigns', caller(parts.access, 'links', MANAGER_TEXTS), () => {
      throw errors.displayIdRequired();
    });
  }
  return router;
}
