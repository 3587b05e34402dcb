/** `/api/v1/questions`: the questions that a project keeps (docs/contract/boards.md). */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { limitCaller, type Access } from '../http/auth';
import { boardAccess } from '../http/auth-schemes';
import { endpoints, json, type PathContext } from '../http/endpoint';
import { readId } from '../http/ids';
import { presentPagination, toPage } from '../lib/page';
import {
  errorReply,
  pageParameters,
  pathParameter,
  rateLimited,
  reportUnavailable,
  type Operation,
} from '../openapi/operation';
import { nameTaken, pageOutOfBounds } from '../openapi/replies';
import { answerSchema } from '../questions/answer-schema';
import { ask, type AskParts } from '../questions/ask';
import * as saved from '../questions/saved';
import { readQuestionEntry } from './input';
import { presentQuestion } from './presenter';
import * as schema from './schema';

export interface QuestionParts extends AskParts {
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  /** What questions cost, wherever they are asked. */
  readonly queryLimiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<QuestionParts>();

const { reads, changes } = boardAccess;
const id = pathParameter('id', 'The question.');
const readQuestionId = (ctx: PathContext<'id'>) => readId(ctx.params.id, 'Question');
const body = (name: string) =>
  json({
    schema: schema.questionEntrySchema,
    example: {
      name,
      question: { source: 'app', metrics: ['installs'], dimensions: ['day'], range: 'last_28_days', chart: 'line' },
    },
    limit: '64kb',
    parse: readQuestionEntry,
  });
const badBody: Operation['responses'] = {
  400: errorReply(400, 'The question is malformed or has no meaning.', 'range: has no place beside from and to'),
};
const missing = errorReply(404, 'The project has no such question.', 'Question not found.');
const taken = nameTaken('question', saved.MAX_QUESTIONS);
const shown = errorReply(
  409,
  'A board, an alert or a schedule uses it.',
  'Boards show this question: "Finance". Take it off them first.',
);

/** In order: who asks, billing, the body, the limit, then the work. */
export const questionOperations = [
  operation({
    method: 'get',
    path: '/api/v1/questions',
    operationId: 'listQuestions',
    summary: 'List questions',
    description: 'By name, in pages.',
    auth: reads,
    parameters: pageParameters(schema.PAGE),
    responses: {
      200: { description: 'A page of them.', schema: schema.questionListSchema },
      422: pageOutOfBounds,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readParameters }) => {
      const page = toPage(readParameters());
      return limitCaller(ctx, limiter, async ({ project }) => {
        const { questions, total } = await saved.listQuestions(postgres, project.id, page);
        return { questions: questions.map(presentQuestion), pagination: presentPagination(total, page) };
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/questions',
    operationId: 'createQuestion',
    summary: 'Save a question',
    description: 'A query whose days may move with the day, under a name. It is checked as a query is.',
    auth: changes,
    idempotent: true,
    body: body('Installs by day'),
    responses: {
      201: { description: 'It is saved.', schema: schema.savedQuestionSchema },
      ...badBody,
      409: taken,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readBody }) => {
      const entry = readBody();
      return limitCaller(ctx, limiter, async ({ project, actor }) =>
        presentQuestion(await saved.createQuestion(postgres, project.id, entry, actor.name)),
      );
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/questions/{id}',
    operationId: 'getQuestion',
    summary: 'Show a question',
    description: 'As it was saved; what it answers is at `/figures`.',
    auth: reads,
    parameters: [id],
    responses: {
      200: { description: 'The question.', schema: schema.savedQuestionSchema },
      404: missing,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }) => {
      const questionId = readQuestionId(ctx);
      return limitCaller(ctx, limiter, async ({ project }) =>
        presentQuestion(await saved.findQuestion(postgres, project.id, questionId)),
      );
    },
  }),
  operation({
    method: 'put',
    path: '/api/v1/questions/{id}',
    operationId: 'changeQuestion',
    summary: 'Change a question',
    description: 'Name and question. Boards that show it show the new one.',
    auth: changes,
    parameters: [id],
    body: body('Installs, day by day'),
    responses: {
      200: { description: 'It is changed.', schema: schema.savedQuestionSchema },
      ...badBody,
      404: missing,
      409: taken,
      429: rateLimited,
    },
    handle: (ctx, { postgres, limiter }, { readBody }) => {
      const questionId = readQuestionId(ctx);
      const entry = readBody();
      return limitCaller(ctx, limiter, async ({ project }) =>
        presentQuestion(await saved.changeQuestion(postgres, project.id, questionId, entry)),
      );
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/questions/{id}',
    operationId: 'deleteQuestion',
    summary: 'Delete a question',
    description: 'For good, unless something uses it.',
    auth: changes,
    parameters: [id],
    responses: { 204: { description: 'It is deleted.' }, 404: missing, 409: shown, 429: rateLimited },
    handle: (ctx, { postgres, limiter }) => {
      const questionId = readQuestionId(ctx);
      return limitCaller(ctx, limiter, ({ project }) => saved.deleteQuestion(postgres, project.id, questionId));
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/questions/{id}/figures',
    operationId: 'questionFigures',
    summary: 'Answer a question',
    description: 'For the day that it is now where the project is; as the query endpoint answers.',
    auth: reads,
    parameters: [id],
    responses: {
      200: { description: 'The first page of rows.', schema: answerSchema },
      404: missing,
      429: rateLimited,
      503: reportUnavailable,
    },
    handle: (ctx, parts) => {
      const questionId = readQuestionId(ctx);
      return limitCaller(ctx, parts.queryLimiter, async ({ project }) => {
        const found = await saved.findQuestion(parts.postgres, project.id, questionId);
        return ask(parts, project.id, saved.readKept(found));
      });
    },
  }),
];
