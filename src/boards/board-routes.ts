/** `/api/v1/boards`: boards of saved questions (docs/contract/boards.md). */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Queryable } from '../db/postgres';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { endpoints, json, type PathContext } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { presentPagination, toPage } from '../lib/page';
import { errorReply, pageParameters, pathParameter, rateLimited, type Operation } from '../openapi/operation';
import type { AskParts } from '../questions/ask';
import { listAnnotationsAround } from '../questions/annotations';
import { answerBoard, findBoard, type Asked, type Board } from '../questions/board';
import { readBoardEntry, readNewBoard } from './input';
import { presentBoard, presentFigures, presentListed } from './presenter';
import { readAbout, type AboutRow } from './queries';
import * as schema from './schema';
import * as service from './service';
import { TEMPLATES } from './templates';

export interface BoardParts extends AskParts {
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  /** What questions cost, wherever they are asked. */
  readonly queryLimiter: RateLimiterAbstract | undefined;
  /** Told of errors of single questions. */
  readonly onError: (error: unknown) => void;
}

const operation = endpoints<BoardParts>();

const reads = serviceKey('reports', { paid: true });
const changes = serviceKey('boards', { paid: true });
const id = pathParameter('id', 'The board.');
const badBody: Operation['responses'] = {
  400: errorReply(400, 'The body is wrong.', 'items[0]: x and w must fit into 12 columns'),
};
const missing = errorReply(404, 'The project has no such board.', 'Board not found.');
const taken = errorReply(
  409,
  `Another board has the name, or the project has ${schema.MAX_BOARDS} already.`,
  'name: another board has it',
);
const ITEMS = [{ heading: 'Installs', x: 0, y: 0, w: 12, h: 1 }];
/** The notes of the days that a board shows, where its maker allows them. */
export const readNotes = (
  db: Queryable,
  projectId: number,
  { annotations }: Board,
  asked: readonly (Asked | null)[],
) =>
  annotations
    ? listAnnotationsAround(
        db,
        projectId,
        asked.map((one) => one?.figures),
      )
    : [];

const readBoardId = (ctx: PathContext<'id'>) => readId(ctx.params.id, 'Board');

/** In order: who asks, billing, the body, the limit, then the work. */
export const boardsOperations = [
  operation({
    method: 'get',
    path: '/api/v1/boards',
    operationId: 'listBoards',
    summary: 'List boards',
    description: 'By name, in pages.',
    auth: reads,
    parameters: pageParameters(schema.PAGE),
    responses: {
      200: { description: 'A page of them.', schema: schema.boardListSchema },
      422: errorReply(
        422,
        '`page` or `limit` is out of bounds.',
        "Invalid page number '0'. Page must be a positive integer.",
      ),
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter, now }, { readParameters }) => {
      const { project, key } = readCaller(ctx);
      const page = toPage(readParameters());
      return withRateLimit(limiter, key, async () => {
        const { boards, total } = await service.listBoards(postgres, project.id, page, now());
        return { boards: boards.map(presentListed), pagination: presentPagination(total, page) };
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/boards',
    operationId: 'createBoard',
    summary: 'Make a board',
    description: `Empty, with \`items\`, or from a \`template\`, ${TEMPLATES.join(', ')}, with its questions.`,
    auth: changes,
    idempotent: true,
    body: json({
      schema: schema.newBoardSchema,
      example: { name: 'Growth', template: 'advertiser' },
      limit: '100kb',
      parse: readNewBoard,
    }),
    responses: {
      201: { description: 'It is made.', schema: schema.boardSchema },
      ...badBody,
      409: taken,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readBody }) => {
      const { project, key, actor } = readCaller(ctx);
      const entry = readBody();
      return withRateLimit(limiter, key, async () =>
        presentBoard(await service.createBoard(postgres, project.id, entry, actor.name)),
      );
    },
  }),
];

/** The endpoints of one board. */
export const boardOperations = [
  operation({
    method: 'get',
    path: '/api/v1/boards/{id}',
    operationId: 'getBoard',
    summary: 'Show a board',
    description: 'What stands where; what it says is at `/figures`.',
    auth: reads,
    parameters: [id],
    responses: { 200: { description: 'The board.', schema: schema.boardSchema }, 404: missing, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const { project, key } = readCaller(ctx);
      const boardId = readBoardId(ctx);
      return withRateLimit(limiter, key, async () => presentBoard(await findBoard(postgres, project.id, boardId)));
    },
  }),
  operation({
    method: 'put',
    path: '/api/v1/boards/{id}',
    operationId: 'changeBoard',
    summary: 'Change a board',
    description: 'Replaces its name, items and whether it shows notes. The last change counts.',
    auth: changes,
    parameters: [id],
    body: json({
      schema: schema.boardEntrySchema,
      example: { name: 'Growth', items: ITEMS },
      limit: '100kb',
      parse: readBoardEntry,
    }),
    responses: {
      200: { description: 'It is changed.', schema: schema.boardSchema },
      ...badBody,
      404: missing,
      409: taken,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readBody }) => {
      const { project, key } = readCaller(ctx);
      const boardId = readBoardId(ctx);
      const entry = readBody();
      return withRateLimit(limiter, key, async () =>
        presentBoard(await service.changeBoard(postgres, project.id, boardId, entry)),
      );
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/boards/{id}/figures',
    operationId: 'boardFigures',
    summary: 'Answer the questions of a board',
    description:
      'In the order of its items, each for today. A question that fails says why, and the others are answered; ' +
      `each counts against the limit of queries, and has at most ${schema.BOARD_ROWS} rows.`,
    auth: reads,
    parameters: [id],
    responses: {
      200: { description: 'The answers.', schema: schema.boardFiguresSchema },
      404: missing,
      429: rateLimited,
    },
    handle: async (ctx, parts) => {
      const { project, key } = readCaller(ctx);
      const { postgres, limiter, queryLimiter, onError, now } = parts;
      const boardId = readBoardId(ctx);
      const board = await withRateLimit(limiter, key, () => findBoard(postgres, project.id, boardId));
      const asked = await answerBoard(parts, project.id, board, {
        rows: schema.BOARD_ROWS,
        spend: (work) => withRateLimit(queryLimiter, key, work),
        onError,
      });
      const [[about], notes] = await Promise.all([
        readAbout(postgres, project.id),
        readNotes(postgres, project.id, board, asked),
      ]);
      return presentFigures(about as AboutRow, board, { asked, notes }, now());
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/boards/{id}',
    operationId: 'deleteBoard',
    summary: 'Delete a board',
    description: 'Its links end; its questions stay.',
    auth: changes,
    parameters: [id],
    responses: { 204: { description: 'It is deleted.' }, 404: missing, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const { project, key, actor } = readCaller(ctx);
      const boardId = readBoardId(ctx);
      return withRateLimit(limiter, key, () => service.deleteBoard(postgres, actor, project.id, boardId));
    },
  }),
];
