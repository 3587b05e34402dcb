/** Single touches and refused requests as answers (pure). */
import { WHY, WHY_CREDITED } from '../derive/decisions/words';
import type { ConsideredRow, RefusedRow, TouchRow } from './touch-queries';
import type { FoundTouches } from './touch-service';

const orNull = (text: string) => text || null;
const instant = (time: string) => new Date(time).toISOString();

/** Partners are told of an install that it considered their touch, and neither which it is nor who is credited. */
export function presentTouches(found: FoundTouches, side: 'partner' | 'project') {
  const touches = found.touches.map((touch) => presentTouch(touch, found, side));
  return { touches, refused: found.refused.map(presentRefused) };
}

function presentTouch(touch: TouchRow, { installs, campaigns, projects, partners }: FoundTouches, side: string) {
  const campaign = campaigns.get(touch.campaign_id);
  const considered = installs.filter((one) => one.touch_id === touch.touch_id && one.project_id === touch.project_id);
  return {
    touch_type: touch.touch_type,
    touch_id: touch.touch_id,
    source: touch.kind as 's2s' | 'link' | 'import',
    project: { id: touch.project_id, name: projects.get(touch.project_id) ?? '' },
    campaign: campaign ? { display_id: campaign.display_id, name: campaign.name } : null,
    partner: touch.partner_id === 0 ? null : { id: touch.partner_id, name: partners.get(touch.partner_id) ?? '' },
    tid: orNull(touch.tid),
    s2: orNull(touch.s2),
    s3: orNull(touch.s3),
    s4: orNull(touch.s4),
    touch_time: instant(touch.touch_time),
    received_at: instant(touch.received_at),
    app_id: orNull(touch.app_id),
    domain: orNull(touch.d),
    country: orNull(touch.country),
    matches_by: (['gaid', 'idfa', 'ip'] as const).filter((name) => touch[name] !== ''),
    state: considered.some(({ verdict }) => verdict === 'credited')
      ? ('credited' as const)
      : considered.length > 0
        ? ('not_credited' as const)
        : ('waiting' as const),
    installs: considered.map((one) => presentConsidered(one, campaigns, side)),
  };
}

function presentConsidered(one: ConsideredRow, campaigns: FoundTouches['campaigns'], side: string) {
  const isCredited = one.verdict === 'credited';
  const winner = side === 'project' && one.campaign_id !== 0 ? campaigns.get(one.campaign_id) : undefined;
  return {
    install_time: instant(one.install_time),
    decided_at: instant(one.decided_at),
    kind: one.reinstall === 1 ? ('reinstall' as const) : ('install' as const),
    verdict: one.verdict,
    why: (isCredited ? WHY_CREDITED[one.rule] : WHY[one.verdict]) ?? '',
    rule: isCredited ? one.rule : null,
    install_id: side === 'project' ? one.install_id : null,
    credited_to: winner ? { display_id: winner.display_id, name: winner.name } : null,
  };
}

export const presentRefused = (row: RefusedRow) => ({
  id: row.id,
  received_at: row.received_at.toISOString(),
  kind: row.kind,
  reason: row.reason,
  tid: orNull(row.tid),
  query: row.query,
  project: row.project_id === null ? null : { id: row.project_id, name: row.project ?? '' },
  partner: { id: row.partner_id, name: row.partner },
  campaign: row.display_id === null ? null : { display_id: row.display_id, name: row.campaign ?? '' },
});

/** `next_before` where the page is full. */
export const presentRefusedPage = (rows: readonly RefusedRow[], limit: number) => ({
  requests: rows.map(presentRefused),
  next_before: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
});
