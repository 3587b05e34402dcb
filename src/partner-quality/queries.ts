/** The queries behind the quality of partners, one function per statement of sql/queries and clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { QueryBudget } from '../reporting/query-budget';

export interface ProjectRow extends Row {
  timezone: string;
  settled: number | null;
}
export interface PartnerRow extends Row {
  id: number;
  name: string;
}

const projectText = readQuery('sql', 'partner-quality.project');
const partnersText = readQuery('sql', 'partner-quality.partners');

export const readProject = async (db: Queryable, projectId: number) =>
  (await db.rows<ProjectRow>(projectText, [projectId]))[0] as ProjectRow;
export const readPartners = (db: Queryable, projectId: number) => db.rows<PartnerRow>(partnersText, [projectId]);

/** What figures are about. Days are the project's, both inclusive. */
export interface Scope {
  readonly project_id: number;
  readonly partners: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  /** Seconds from click to install at which each slot but the first begins. */
  readonly edges: readonly number[];
  /** Addresses with more installs than this are counted. */
  readonly many: number;
}

type Kind = 'click' | 'impression' | 'ctv_impression';
export interface TouchesRow extends Row {
  partner_id: number;
  touch: Kind;
  touches: number;
  by_s2s: number;
}
export interface RequestsRow extends Row {
  partner_id: number;
  kind: Kind;
  outcome: string;
  requests: number;
}
export interface InstallsRow extends Row {
  partner_id: number;
  installs: number;
  suspicious: number;
  ips: number;
  most_of_one_ip: number;
  ips_with_many: number;
  slots: number[];
}

const asking = <T extends Row>(file: string) => {
  const name = `partner-quality.${file}`;
  const statement = { name, text: readQuery('clickhouse', name) };
  return (budget: QueryBudget, params: Scope): Promise<T[]> => budget.rows<T>(statement, { ...params });
};
export const readTouches = asking<TouchesRow>('touches');
export const readRequests = asking<RequestsRow>('requests');
export const readInstalls = asking<InstallsRow>('installs');
