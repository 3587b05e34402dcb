/** `/api/v1/boards/{id}/links` and `/public/v1/board`: public links to boards (docs/contract/boards.md). */
import type { RouterContext } from '@koa/router';
import { ApiError } from '../errors';
import { limitCaller } from '../http/auth';
import { anybody, boardAccess } from '../http/auth-schemes';
import { endpoints, json } from '../http/endpoint';
import { readId } from '../http/ids';
import { Type } from '../lib/schema';
import { errorReply, pathParameter, rateLimited, reportUnavailable } from '../openapi/operation';
import { findBoard } from '../questions/board';
import { described } from '../questions/model';
import { FiguresCache } from './figures-cache';
import * as links from './links';
import { presentLink, presentPublic } from './presenter';
import { boardId, noBoard, readBoardId, readShown, type BoardParts } from './board-routes';
import * as schema from './schema';

type PublicAnswer = ReturnType<typeof presentPublic> & { readonly model: typeof described };

export interface LinkParts extends BoardParts {
  /** What strangers were shown not long ago. */
  readonly shown: FiguresCache<PublicAnswer>;
}

const operation = endpoints<LinkParts>();

const { reads, changes } = boardAccess;
const PAGE = '/public/board';
const TOKEN = 'board-token';
/** Alike for a token that is unknown, revoked or expired. */
const deadLink = () => new ApiError(404, 'This link does not work, or no longer.');

/** Nobody keeps it, finds it by searching, or learns from where it was followed. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

async function showLinked(ctx: RouterContext, parts: LinkParts): Promise<PublicAnswer> {
  ctx.set(PRIVATE);
  const { postgres, access, shown, now } = parts;
  const linked = await links.findLinked(postgres, ctx.get(TOKEN), now());
  const project = linked && access.snapshot.project(linked.project_id);
  if (!linked || !project || project.billing.suspended) throw deadLink();
  const board = await findBoard(postgres, project.id, linked.board_id).catch((error: unknown) => {
    throw error instanceof ApiError ? deadLink() : error;
  });
  return shown.get(`${board.id} ${board.revision}`, async () => {
    const [about, answered] = await readShown(parts, project.id, board, (work) => work());
    // What figures are called, since who looks may ask for nothing else.
    return { ...presentPublic(about, board, answered, now()), model: described };
  });
}

export const linkOperations = [
  operation({
    method: 'get',
    path: '/api/v1/boards/{id}/links',
    operationId: 'listBoardLinks',
    summary: 'List the public links to a board',
    description: 'The newest first, without their tokens; those that have ended for 90 days.',
    auth: reads,
    parameters: [boardId],
    responses: { 200: { description: 'The links.', schema: schema.linkListSchema }, 404: noBoard, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const id = readBoardId(ctx);
      return limitCaller(ctx, limiter, async ({ project }) => ({
        links: (await links.listLinks(postgres, project.id, id)).map(presentLink),
      }));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/boards/{id}/links',
    operationId: 'createBoardLink',
    summary: 'Make a public link to a board',
    description: 'Whoever has it may look at the board, without signing in, until it expires or is revoked.',
    auth: changes,
    parameters: [boardId],
    body: json({
      schema: schema.linkEntrySchema,
      example: {},
      limit: '10kb',
    }),
    responses: {
      201: { description: 'The link.', schema: schema.newLinkSchema },
      400: errorReply(400, 'The body is wrong.', 'expires_at: must be in the future'),
      404: noBoard,
      409: errorReply(
        409,
        `The board has ${schema.MAX_LINKS} links that work.`,
        `A board has at most ${schema.MAX_LINKS} links that work.`,
      ),
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter, access, now }, { readBody }) => {
      const id = readBoardId(ctx);
      const expiresAt = links.readExpiry(readBody().expires_at, now());
      return limitCaller(ctx, limiter, async ({ project, actor }) => {
        const wanted = { projectId: project.id, boardId: id, expiresAt };
        const { link, token } = await links.createLink(postgres, actor, wanted, now());
        ctx.set('Cache-Control', 'no-store');
        return { ...presentLink(link), token, url: `${access.sessions.origin(ctx)}${PAGE}#${token}` };
      });
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/boards/{id}/links/{link}',
    operationId: 'revokeBoardLink',
    summary: 'Revoke a public link to a board',
    description: 'It ends at once.',
    auth: changes,
    parameters: [boardId, pathParameter('link', 'The link.')],
    responses: {
      204: { description: 'It does not work any more.' },
      404: errorReply(404, 'The board has no such link.', 'Link not found.'),
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }) => {
      const [id, linkId] = [readBoardId(ctx), readId(ctx.params.link, 'Link')];
      return limitCaller(ctx, limiter, ({ project, actor }) =>
        links.revokeLink(postgres, actor, project.id, id, linkId),
      );
    },
  }),
  operation({
    method: 'get',
    path: '/public/v1/board',
    operationId: 'publicBoard',
    summary: 'Look at a board by its public link',
    description:
      'Without signing in. Figures are computed again when they are five minutes old, or the board has changed. A ' +
      'link that is unknown, revoked or expired is 404.',
    auth: anybody,
    parameters: [
      {
        name: TOKEN,
        in: 'header',
        description: 'The token: what stands behind `#` in the link.',
        schema: Type.String(),
        required: true,
        example: 'board_4t0b2n...',
      },
    ],
    responses: {
      200: { description: 'The board and its figures.', schema: schema.publicBoardSchema },
      404: errorReply(404, 'The link does not work.', deadLink().message),
      429: rateLimited,
      503: reportUnavailable,
    },
    handle: showLinked,
  }),
];

/** What strangers are shown, which begins empty. */
export const createShown = (now: () => number): LinkParts['shown'] =>
  new FiguresCache<PublicAnswer>(({ items }) => items.some(({ error }) => error !== null), now);
