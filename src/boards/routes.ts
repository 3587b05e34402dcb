/** Questions, boards and public links as one chapter (docs/contract/boards.md). */
import type Router from '@koa/router';
import { createRoutes, type EndpointSection } from '../http/endpoint';
import { boardOperations, boardsOperations, type BoardParts } from './board-routes';
import { createShown, linkOperations, type LinkParts } from './link-routes';
import { questionOperations } from './question-routes';

export const boardsApi: EndpointSection<LinkParts> = {
  tag: 'Boards',
  description: 'Questions that a project keeps, boards that show them, and public links to boards.',
  operations: [...questionOperations, ...boardsOperations, ...linkOperations, ...boardOperations],
};

export const boardRoutes = (parts: BoardParts): Router =>
  createRoutes(boardsApi, { ...parts, shown: createShown(parts.now) });
