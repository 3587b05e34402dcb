/** When campaigns were paused: what happened then does not count for them on the web. */
import type { Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';

export interface PauseRow extends Row {
  readonly campaign_id: number;
  /** The first millisecond that does not count, and the first that counts again; null while the pause lasts. */
  readonly from_ms: number;
  readonly until_ms: number | null;
}

/** The pauses of a project: `readPauses(db, projectId)`. */
export const readPauses = postgresQuery<PauseRow>('figures.pauses');

/** Pauses as parameters: one place per campaign, with the beginnings and ends of its pauses. */
export function pauseParams(pauses: readonly PauseRow[]) {
  const campaigns = [...new Set(pauses.map((pause) => pause.campaign_id))];
  const of = (id: number) => pauses.filter((pause) => pause.campaign_id === id);
  return {
    paused_campaigns: campaigns,
    pause_begins: campaigns.map((id) => of(id).map((pause) => pause.from_ms)),
    pause_ends: campaigns.map((id) => of(id).map((pause) => pause.until_ms ?? Number.MAX_SAFE_INTEGER)),
  };
}
