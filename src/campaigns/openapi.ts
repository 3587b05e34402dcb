/** The campaign endpoints for the OpenAPI document (docs/contract/campaigns.md). */
import { Type, closed, list } from '../lib/schema';
import {
  envelope,
  errorReply,
  idempotent,
  pageParameters,
  paginationSchema,
  rateLimited,
  tooLarge,
  type ApiSection,
  type Parameter,
  type Response,
} from '../openapi/operation';
import * as schema from './schema';

const unauthorized = errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.');
const badKey = errorReply(401, 'The key is missing or invalid.', 'Server key missing!');
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

export const campaignApi: ApiSection = {
  tag: 'Campaigns',
  description: 'Campaign data and management, with the server key of a project.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/campaigns',
      operationId: 'listCampaigns',
      summary: 'List campaigns',
      description: 'Newest first. What a filter names and the project does not have is an error, not an empty list.',
      security: ['serviceKey'],
      parameters: [
        { name: 'filter', in: 'query', description: 'By activity.', schema: schema.filterSchema, example: 'ACTIVE' },
        {
          name: 'channel',
          in: 'query',
          description:
            'An ad network, such as `GOOGLE` or `SNAPCHAT`, or an affiliate with underscores for spaces; in any case.',
          schema: Type.String(),
          example: 'Mobi_Ads',
        },
        {
          name: 'domain',
          in: 'query',
          description: 'Campaigns of that domain of the project.',
          schema: Type.String(),
          example: 'go.acme.example',
        },
        {
          name: 'link',
          in: 'query',
          description: 'A tracking link: the campaign that it leads to.',
          schema: Type.String(),
          example: 'https://go.acme.example/?c=AbC123',
        },
        ...pageParameters(schema.listLimits),
      ],
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
        401: unauthorized,
        422: errorReply(
          422,
          '`page` or `limit` is out of bounds.',
          "Invalid page number '0'. Page must be a positive integer.",
        ),
        429: rateLimited,
      },
    },
    idempotent({
      method: 'post',
      path: '/api/v1/create-campaign',
      operationId: 'createCampaign',
      summary: 'Create a campaign',
      description: 'Makes a campaign and its tracking link. Unknown fields are ignored.',
      security: ['serviceKey'],
      body: {
        schema: schema.createSchema,
        example: {
          name: 'Spring sale',
          deeplink: 'acme://sale',
          link_for_desktop_users: 'https://acme.example/sale',
          custom_channel_names: ['Newsletter'],
        },
      },
      responses: {
        201: reply(201, 'The campaign.', schema.createdSchema),
        400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'Campaign name is required!'),
        401: badKey,
        409: errorReply(
          409,
          'The display ID is taken, or the custom channel was deactivated.',
          "Campaign with custom_display_id 'spring' already exists!",
        ),
        413: tooLarge('100kb'),
        429: rateLimited,
      },
    }),
    {
      method: 'patch',
      path: '/api/v1/campaigns/{display_id}',
      operationId: 'editCampaign',
      summary: 'Edit a campaign',
      description:
        'Changes what is sent and leaves the rest; links follow at once. Null or empty clears a URL, an empty ' +
        'array the channel.',
      security: ['serviceKey'],
      parameters: [displayId],
      body: {
        schema: schema.editSchema,
        example: { name: 'Summer sale', active: true, website: 'https://acme.example/summer' },
      },
      responses: {
        200: reply(200, 'The campaign as it is now.', schema.editedSchema),
        400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'Campaign name cannot be empty!'),
        401: badKey,
        404: notFound,
        409: channelDeleted,
        413: tooLarge('100kb'),
        429: rateLimited,
      },
    },
    {
      method: 'delete',
      path: '/api/v1/campaigns/{display_id}',
      operationId: 'deleteCampaign',
      summary: 'Delete a campaign',
      description: 'For good: its display ID is not given out again. Only manually-created campaigns can be deleted.',
      security: ['serviceKey'],
      parameters: [displayId],
      responses: {
        204: { description: 'The campaign is deleted.' },
        400: errorReply(
          400,
          'A system campaign, or one of an ad network.',
          'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns ' +
            'cannot be deleted.',
        ),
        401: badKey,
        404: notFound,
        429: rateLimited,
      },
    },
  ],
};
