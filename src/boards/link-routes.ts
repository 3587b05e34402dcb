/** `/api/v1/boards/{id}/links` and `/public/v1/board`: public links to boards (docs/contract/boards.md). */
import type { RouterContext } from '@koa/router';
import { ApiError } from '../errors';
import { readCaller } from '../http/auth';
import { anybody, serviceKey } from '../http/auth-schemes';
import { endpoints, json } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { Type } from '../lib/schema';
import { errorReply, pathParameter, rateLimited, reportUnavailable } from '../openapi/operation';
import { answerBoard, findBoard } from '../questions/board';
import { described } from '../questions/model';
import { FiguresCache } from './figures-cache';
import * as links from './links';
import { presentLink, presentPublic } from './presenter';
import { readAbout, type AboutRow } from './queries';
import { readNotes, type BoardParts } from './board-routes';
import * as schema from './schema';

type PublicAnswer = ReturnType<typeof presentPublic> & { readonly model: typeof described };

export interface LinkParts extends BoardParts {
  /** What strangers were shown not long ago. */
  readonly shown: FiguresCache<PublicAnswer>;
}

const operation = endpoints<LinkParts>();

const reads = serviceKey('reports', { paid: true });
const changes = serviceKey('boards', { paid: true });
const id = pathParameter('id', 'The board.');
const missing = errorReply(404, 'The project has no such board.', 'Board not found.');
const PAGE = '/public/board';
const TOKEN = 'board-token';
/** Alike for a token that is unknown, revoked or expired. */
const noBoard = () => new ApiError(404, 'This link does not work, or no longer.');

/** Nobody keeps it, finds it by searching, or learns from where it was followed. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

async function showLinked(ctx: RouterContext, parts: LinkParts): Promise<PublicAnswer> {
  ctx.set(PRIVATE);
  const { postgres, access, shown, onError, now } = parts;
  const linked = await links.findLinked(postgres, ctx.get(TOKEN), now());
  const project = linked && access.snapshot.project(linked.project_id);
  if (!linked || !project || project.billing.suspended) throw noBoard();
  const board = await findBoard(postgres, project.id, linked.board_id).catch((error: unknown) => {
    throw error instanceof ApiError ? noBoard() : error;
  });
  return shown.get(`${board.id} ${board.revision}`, async () => {
    const options = { rows: schema.BOARD_ROWS, spend: <T>(work: () => Promise<T>) => work(), onError };
    const asked = await answerBoard(parts, project.id, board, options);
    const notes = await readNotes(postgres, project.id, board, asked);
    const [about] = await readAbout(postgres, project.id);
    // What figures are called, since who looks may ask for nothing else.
    return { ...presentPublic(about as AboutRow, board, { asked, notes }, now()), model: described };
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
    parameters: [id],
    responses: { 200: { description: 'The links.', schema: schema.linkListSchema }, 404: missing, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const { project, key } = readCaller(ctx);
      const boardId = readId(ctx.params.id, 'Board');
      return withRateLimit(limiter, key, async () => ({
        links: (await links.listLinks(postgres, project.id, boardId)).map(presentLink),
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
    parameters: [id],
    body: json({
      schema: schema.linkEntrySchema,
      example: {},
      limit: '10kb',
    }),
    responses: {
      201: { description: 'The link.', schema: schema.newLinkSchema },
      400: errorReply(400, 'The body is wrong.', 'expires_at: must be in the future'),
      404: missing,
      409: errorReply(
        409,
        `The board has ${schema.MAX_LINKS} links that work.`,
        `A board has at most ${schema.MAX_LINKS} links that work.`,
      ),
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter, access, now }, { readBody }) => {
      const { project, key, actor } = readCaller(ctx);
      const boardId = readId(ctx.params.id, 'Board');
      const expiresAt = links.readExpiry(readBody().expires_at, now());
      return withRateLimit(limiter, key, async () => {
        const wanted = { projectId: project.id, boardId, expiresAt };
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
    parameters: [id, pathParameter('link', 'The link.')],
    responses: {
      204: { description: 'It does not work any more.' },
      404: errorReply(404, 'The board has no such link.', 'Link not found.'),
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }) => {
      const { project, key, actor } = readCaller(ctx);
      const [boardId, linkId] = [readId(ctx.params.id, 'Board'), readId(ctx.params.link, 'Link')];
      return withRateLimit(limiter, key, () => links.revokeLink(postgres, actor, project.id, boardId, linkId));
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
      404: errorReply(404, 'The link does not work.', noBoard().message),
      429: rateLimited,
      503: reportUnavailable,
    },
    handle: showLinked,
  }),
];

/** What strangers are shown, which begins empty. */
export const createShown = (now: () => number): LinkParts['shown'] =>
  new FiguresCache<PublicAnswer>(({ items }) => items.some(({ error }) => error !== null), now);
