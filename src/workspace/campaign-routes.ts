/** The campaigns of a project, and their pauses (docs/contract/workspace.md). */
import { mustExist } from '../configuration/must-exist';
import { putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { endpoints } from '../http/endpoint';
import { readProjectId } from '../http/ids';
import { presentPagination, toPage } from '../lib/page';
import { closed, list, Type } from '../lib/schema';
import { answer, missing, projectId } from '../openapi/administration';
import { errorReply, pageParameters, paginationSchema, pathParameter } from '../openapi/operation';
import { pageOutOfBounds } from '../openapi/replies';
import * as queries from './queries';
import * as schemas from './schema';
import { setPaused } from './service';

const operation = endpoints<AdministrationParts>();

/** How large a page is, unless asked for less. */
const PAGE = { default: 1000, maximum: 1000 } as const;

const displayId = pathParameter('display_id', "The campaign's display ID.", Type.String({ minLength: 1 }), 'AbC123');

const pauses = (['pause', 'unpause'] as const).map((verb) =>
  operation({
    method: 'post',
    path: `/admin/v1/projects/{id}/campaigns/{display_id}/${verb}`,
    operationId: `${verb}Campaign`,
    summary: verb === 'pause' ? 'Pause a web campaign' : 'Unpause a web campaign',
    description: 'From now on; a paused campaign stops counting, and its links go on. Twice changes nothing.',
    auth: admin.project('links'),
    idempotent: true,
    parameters: [projectId, displayId],
    responses: {
      200: answer('Whether it is paused.', schemas.paused),
      404: errorReply(404, 'The project has no such campaign.', 'Campaign not found!'),
    },
    handle: (ctx, parts) => {
      const campaign = ctx.params.display_id;
      const isPause = verb === 'pause';
      return putInForce(parts, setPaused(parts.postgres, readActor(ctx), readProjectId(ctx), campaign, isPause));
    },
  }),
);

export const campaignOperations = [
  operation({
    method: 'get',
    path: '/admin/v1/projects/{id}/campaigns',
    operationId: 'listProjectCampaigns',
    summary: 'List the campaigns of a project',
    description: 'Newest first, in pages.',
    auth: admin.project('reports'),
    parameters: [projectId, ...pageParameters(PAGE)],
    responses: {
      200: answer('A page of campaigns.', closed({ campaigns: list(schemas.campaign), pagination: paginationSchema })),
      404: missing('Project'),
      422: pageOutOfBounds,
    },
    handle: async (ctx, { postgres }, { readParameters }) => {
      const page = toPage(readParameters());
      const project = readProjectId(ctx);
      await mustExist(postgres, 'projects', project);
      const [count] = await queries.countCampaigns(postgres, project);
      return {
        campaigns: await queries.readCampaigns(postgres, project, page.limit, page.offset),
        pagination: presentPagination(count?.total ?? 0, page),
      };
    },
  }),
  ...pauses,
];
