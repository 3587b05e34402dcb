/** Boards, the questions on them and their public links. */
import { queryOptions } from '@tanstack/react-query';
import { api, projectApi, unwrapData } from './client';
import type { components, paths } from '@adtrail/client';
import { withoutUnspent } from '../unspent';
import { queryClient } from './queries';

type Schemas = components['schemas'];
export type Board = Schemas['Board'];
export type ListedBoard = Schemas['ListedBoard'];
export type BoardItem = Board['items'][number];
export type BoardLink = Schemas['BoardLink'];
export type NewBoardLink = Schemas['NewBoardLink'];
export type SavedQuestion = Schemas['SavedQuestion'];
export type BoardFigures = Schemas['BoardFigures'];
export type PublicBoard = Schemas['PublicBoard'];
/** What stands on a board, with its figures. */
export type Shown = PublicBoard['items'][number];
export type Template = NonNullable<NewBoard['template']>;

type NewBoard = paths['/api/v1/boards']['post']['requestBody']['content']['application/json'];
type BoardEntry = paths['/api/v1/boards/{id}']['put']['requestBody']['content']['application/json'];
export type ItemEntry = BoardEntry['items'][number];

/** Figures as all pages show them. */
const withItems = <T extends { readonly items: readonly Shown[] }>(answer: T): T => ({
  ...answer,
  items: answer.items.map((item) => ({
    ...item,
    figures: item.figures && withoutUnspent(item.figures),
    complete: item.complete && withoutUnspent(item.complete),
    earlier: item.earlier && withoutUnspent(item.earlier),
  })),
});

/** The most on a page of a list. */
const PAGE = 200;
const MAX_PAGES = 5;

export const boardsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['boards', projectId],
    queryFn: async ({ signal }) =>
      // A project has no more boards than a page.
      (await unwrapData(projectApi(projectId).GET('/api/v1/boards', { params: { query: { limit: PAGE } }, signal })))
        .boards,
  });

export const boardQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ['boards', projectId, id],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(projectId).GET('/api/v1/boards/{id}', { params: { path: { id } }, signal })),
  });

export const boardFiguresQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ['boards', projectId, id, 'figures'],
    queryFn: async ({ signal }) =>
      withItems(
        await unwrapData(
          projectApi(projectId).GET('/api/v1/boards/{id}/figures', { params: { path: { id } }, signal }),
        ),
      ),
  });

export const questionsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['questions', projectId],
    queryFn: async ({ signal }) => {
      const found: SavedQuestion[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const params = { query: { page, limit: PAGE } };
        const answer = await unwrapData(projectApi(projectId).GET('/api/v1/questions', { params, signal }));
        found.push(...answer.questions);
        if (page >= answer.pagination.pages) break;
      }
      return found;
    },
  });

const linksKey = (projectId: number, id: number) => ['board links', projectId, id];
export const boardLinksQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: linksKey(projectId, id),
    queryFn: async ({ signal }) =>
      (await unwrapData(projectApi(projectId).GET('/api/v1/boards/{id}/links', { params: { path: { id } }, signal })))
        .links,
  });

/** The board of a public link, for anybody. */
export const publicBoardQuery = (token: string) =>
  queryOptions({
    queryKey: ['public board', token],
    queryFn: async ({ signal }) =>
      withItems(
        await unwrapData(api.GET('/public/v1/board', { params: { header: { 'board-token': token } }, signal })),
      ),
    gcTime: 0,
  });

const forgetBoards = (projectId: number) => queryClient.invalidateQueries({ queryKey: ['boards', projectId] });

export async function createBoard(projectId: number, body: NewBoard): Promise<Board> {
  const made = await unwrapData(projectApi(projectId).POST('/api/v1/boards', { body }));
  await Promise.all([forgetBoards(projectId), queryClient.invalidateQueries({ queryKey: ['questions', projectId] })]);
  return made;
}

export async function changeBoard(projectId: number, id: number, body: BoardEntry): Promise<void> {
  await unwrapData(projectApi(projectId).PUT('/api/v1/boards/{id}', { params: { path: { id } }, body }));
  await forgetBoards(projectId);
}

export async function deleteBoard(projectId: number, id: number): Promise<void> {
  await projectApi(projectId).DELETE('/api/v1/boards/{id}', { params: { path: { id } } });
  queryClient.removeQueries({ queryKey: ['boards', projectId, id] });
  await queryClient.invalidateQueries({ queryKey: ['boards', projectId], exact: true });
}

const forgetLinks = (projectId: number, id: number) =>
  queryClient.invalidateQueries({ queryKey: linksKey(projectId, id) });

export async function createBoardLink(projectId: number, id: number, expiresAt: string): Promise<NewBoardLink> {
  const options = { params: { path: { id } }, body: { expires_at: expiresAt } };
  const made = await unwrapData(projectApi(projectId).POST('/api/v1/boards/{id}/links', options));
  await forgetLinks(projectId, id);
  return made;
}

export async function revokeBoardLink(projectId: number, id: number, link: number): Promise<void> {
  await projectApi(projectId).DELETE('/api/v1/boards/{id}/links/{link}', { params: { path: { id, link } } });
  await forgetLinks(projectId, id);
}
