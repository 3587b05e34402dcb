/** Custom channels of a project (docs/contract/workspace.md). */
import type Router from '@koa/router';
import { listOfProject, putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readProjectId } from '../http/ids';
import { closed, named, Type } from '../lib/schema';
import { ADMINISTRATION, missing, projectId } from '../openapi/administration';
import { pathParameter } from '../openapi/operation';
import { deactivateChannel, readChannels } from './service';

type ChannelsParts = Omit<AdministrationParts, 'now'>;

const operation = endpoints<ChannelsParts>();

const channel = named(
  'ProjectChannel',
  closed({ id: Type.Integer({ minimum: 1 }), name: Type.String(), slug: Type.String(), active: Type.Boolean() }),
);

export const channelsApi: EndpointSection<ChannelsParts> = {
  ...ADMINISTRATION,
  operations: [
    listOfProject('channels', channel, readChannels),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/channels/{slug}',
      operationId: 'deactivateChannel',
      summary: 'Deactivate a custom channel',
      description: 'Campaigns keep it; nothing new gets it, and its name stays taken.',
      auth: admin.project('settings'),
      parameters: [
        projectId,
        pathParameter('slug', "The channel's code.", Type.String({ minLength: 1 }), 'newsletter'),
      ],
      responses: { 204: { description: 'It is deactivated.' }, 404: missing('Channel') },
      handle: (ctx, parts) => {
        const slug = ctx.params.slug;
        return putInForce(parts, deactivateChannel(parts.postgres, readActor(ctx), readProjectId(ctx), slug));
      },
    }),
  ],
};

export const channelRoutes = (parts: ChannelsParts): Router => createRoutes(channelsApi, parts);
