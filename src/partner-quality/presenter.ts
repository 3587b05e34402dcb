/** The quality of partners as an answer (pure). */
import type { QualityInput } from './input';
import type { PartnerRow } from './queries';
import type { Quality } from './service';
import { MANY_INSTALLS, SLOTS } from './slots';

/** In per cent, with two decimals; null of nothing. */
const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100);

export const presentQuality = ({ from, to }: QualityInput, quality: Quality) => ({
  partners: quality.partners.map((partner) => presentPartner(partner, quality)),
  meta: {
    from,
    to,
    timezone: quality.project.timezone,
    complete_until: quality.project.settled === null ? null : new Date(quality.project.settled).toISOString(),
  },
});

function presentPartner({ id, name }: PartnerRow, quality: Quality) {
  const of = <T extends { partner_id: number }>(rows: readonly T[]) => rows.filter((row) => row.partner_id === id);
  const touches = new Map(of(quality.touches).map((row) => [row.touch, row]));
  const requests = of(quality.requests);
  const found = of(quality.installs)[0];
  const clicks = touches.get('click')?.touches ?? 0;
  const installs = found?.installs ?? 0;
  const accepted = requests.filter(({ outcome }) => outcome === 'accepted');
  // What was accepted without making a new touch repeats one.
  const repeats = accepted.map((row) => Math.max(0, row.requests - (touches.get(row.kind)?.by_s2s ?? 0)));
  const refused: Record<string, number> = {};
  for (const { outcome, requests: times } of requests)
    if (outcome !== 'accepted') refused[outcome] = (refused[outcome] ?? 0) + times;
  return {
    partner_id: id,
    partner: name,
    clicks,
    impressions: touches.get('impression')?.touches ?? 0,
    ctv_impressions: touches.get('ctv_impression')?.touches ?? 0,
    installs,
    conversion_rate: share(installs, clicks),
    suspicious: found?.suspicious ?? 0,
    suspicious_share: share(found?.suspicious ?? 0, installs),
    repeats: repeats.reduce((sum, one) => sum + one, 0),
    refused,
    installs_by_ip: {
      ips: found?.ips ?? 0,
      most: found?.most_of_one_ip ?? 0,
      many: MANY_INSTALLS,
      ips_with_many: found?.ips_with_many ?? 0,
    },
    click_to_install: SLOTS.map((slot, i) => ({ ...slot, installs: found?.slots[i] ?? 0 })),
  };
}
