/** `/api/v1/boards`: boards of saved questions (docs/contract/boards.md). */
import { limitCaller, readCaller } from '../http/auth';
import { boardAccess } from '../http/auth-schemes';
import { endpoints, json, type PathContext } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { presentPagination, toPage } from '../lib/page';
import { errorReply, pageParameters, pathParameter, rateLimited, type Operation } from '../openapi/operation';
import { nameTaken, pageOutOfBounds } from '../openapi/replies';
import { listAnnotationsAround } from '../questions/annotations';
import { answerBoard, findBoard, readFirstDay, type Board, type BoardOptions } from '../questions/board';
import { readBoardEntry, readNewBoard } from './input';
import { presentBoard, presentFigures, presentListed, type Answered } from './presenter';
import { readAbout, type AboutRow } from './queries';
import type { QuestionParts } from './question-routes';
import * as schema from './schema';
import * as service from './service';
import { TEMPLATES } from './templates';

export interface BoardParts extends QuestionParts {
  /** Told of errors of single questions. */
  readonly onError: (error: unknown) => void;
}

const operation = endpoints<BoardParts>();

const { reads, changes } = boardAccess;
export const boardId = pathParameter('id', 'The board.');
const badBody: Operation['responses'] = {
  400: errorReply(400, 'The body is wrong.', 'items[0]: x and w must fit into 12 columns'),
};
export const noBoard = errorReply(404, 'The project has no such board.', 'Board not found.');
const taken = nameTaken('board', schema.MAX_BOARDS);
const ITEMS = [{ heading: 'Installs', x: 0, y: 0, w: 12, h: 1 }];
/** What a board shows: its answers, notes of their days where its maker allows them, and since when there is data. */
export async function readShown(
  parts: BoardParts,
  projectId: number,
  board: Board,
  spend: BoardOptions['spend'],
): Promise<readonly [AboutRow, Answered]> {
  const { postgres, onError } = parts;
  const asked = await answerBoard(parts, projectId, board, { rows: schema.BOARD_ROWS, spend, onError });
  const days = asked.map((one) => one?.figures);
  const [[about], notes, firstDay] = await Promise.all([
    readAbout(postgres, projectId),
    board.annotations ? listAnnotationsAround(postgres, projectId, days) : [],
    readFirstDay(parts, projectId, board, onError),
  ]);
  return [about as AboutRow, { asked, notes, firstDay }];
}

export const readBoardId = (ctx: PathContext<'id'>) => readId(ctx.params.id, 'Board');

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
      422: pageOutOfBounds,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter, now }, { readParameters }) => {
      const page = toPage(readParameters());
      return limitCaller(ctx, limiter, async ({ project }) => {
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
      const entry = readBody();
      return limitCaller(ctx, limiter, async ({ project, actor }) =>
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
    parameters: [boardId],
    responses: { 200: { description: 'The board.', schema: schema.boardSchema }, 404: noBoard, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const id = readBoardId(ctx);
      return limitCaller(ctx, limiter, async ({ project }) => presentBoard(await findBoard(postgres, project.id, id)));
    },
  }),
  operation({
    method: 'put',
    path: '/api/v1/boards/{id}',
    operationId: 'changeBoard',
    summary: 'Change a board',
    description: 'Replaces its name, items and whether it shows notes. The last change counts.',
    auth: changes,
    parameters: [boardId],
    body: json({
      schema: schema.boardEntrySchema,
      example: { name: 'Growth', items: ITEMS },
      limit: '100kb',
      parse: readBoardEntry,
    }),
    responses: {
      200: { description: 'It is changed.', schema: schema.boardSchema },
      ...badBody,
      404: noBoard,
      409: taken,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readBody }) => {
      const id = readBoardId(ctx);
      const entry = readBody();
      return limitCaller(ctx, limiter, async ({ project }) =>
        presentBoard(await service.changeBoard(postgres, project.id, id, entry)),
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
    parameters: [boardId],
    responses: {
      200: { description: 'The answers.', schema: schema.boardFiguresSchema },
      404: noBoard,
      429: rateLimited,
    },
    handle: async (ctx, parts) => {
      const { project, key } = readCaller(ctx);
      const { postgres, limiter, queryLimiter, now } = parts;
      const id = readBoardId(ctx);
      const board = await withRateLimit(limiter, key, () => findBoard(postgres, project.id, id));
      const spend = <T>(work: () => Promise<T>) => withRateLimit(queryLimiter, key, work);
      const [about, answered] = await readShown(parts, project.id, board, spend);
      return presentFigures(about, board, answered, now());
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/boards/{id}',
    operationId: 'deleteBoard',
    summary: 'Delete a board',
    description: 'Its links end; its questions stay.',
    auth: changes,
    parameters: [boardId],
    responses: { 204: { description: 'It is deleted.' }, 404: noBoard, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const id = readBoardId(ctx);
      return limitCaller(ctx, limiter, ({ project, actor }) => service.deleteBoard(postgres, actor, project.id, id));
    },
  }),
];
