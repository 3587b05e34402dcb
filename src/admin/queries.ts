/** The queries behind administration, one function a file of sql/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';

const sql = (name: string) => readQuery('sql', `admin.${name}`);
const texts = { projects: sql('projects'), partners: sql('partners'), accounts: sql('accounts'), retireTokens: sql('retire-tokens'), revokeTokens: sql('revoke-tokens') };

export const readProjects = (db: Queryable): Promise<Row[]> => db.rows(texts.projects);
export const readPartners = (db: Queryable): Promise<Row[]> => db.rows(texts.partners);
export const readAccounts = (db: Queryable): Promise<Row[]> => db.rows(texts.accounts);
export const retireTokens = (db: Queryable, partnerId: number, until: Date) => db.rows<{ valid_until: Date }>(texts.retireTokens, [partnerId, until]);
export const revokeTokens = (db: Queryable, partnerId: number) => db.rows(texts.revokeTokens, [partnerId]);
