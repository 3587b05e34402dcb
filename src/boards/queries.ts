/** The queries behind boards and their links, one function per statement of sql/queries. */
import type { Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';

export interface ListedBoard extends Row {
  id: number;
  name: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  items: number;
  links: number;
}
export interface LinkRow extends Row {
  id: number;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}
/** What a link shows. */
export interface LinkedRow extends Row {
  project_id: number;
  board_id: number;
}
/** What figures are of, and are in. */
export interface AboutRow extends Row {
  project: string;
  currency: string;
  timezone: string;
  locale: string;
}
type Ids = { id: number };

export const listBoards = postgresQuery<ListedBoard>('boards.list');
export const countBoards = postgresQuery<{ total: number }>('boards.count');
export const createBoard = postgresQuery<Ids>('boards.create');
export const renameBoard = postgresQuery<Ids>('boards.rename');
export const deleteItems = postgresQuery('boards.delete-items');
export const addItems = postgresQuery('boards.add-items');
export const findMissingQuestions = postgresQuery<Ids>('boards.missing-questions');
export const deleteBoard = postgresQuery<Ids>('boards.delete');
export const listLinks = postgresQuery<LinkRow>('boards.links');
export const lockBoard = postgresQuery<{ name: string }>('boards.lock');
export const forgetLinks = postgresQuery('boards.forget-links');
export const createLink = postgresQuery<LinkRow>('boards.create-link');
export const revokeLink = postgresQuery<Ids>('boards.revoke-link');
export const readAbout = postgresQuery<AboutRow>('boards.about');
export const findLinked = postgresQuery<LinkedRow>('boards.board-of-link');
