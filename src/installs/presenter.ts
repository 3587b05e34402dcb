/** An install as the list shows it (docs/contract/attribution.md). */
import { readUserAgent } from '../net/user-agent';
import type { CampaignRow, EventRow, InstallRow, PartnerRow } from './queries';

const orNull = (text: string) => text || null;

/** `campaign` and `partner` are undefined for an organic install, and for one that is not decided. */
export function presentInstall(row: InstallRow, campaign: CampaignRow | undefined, partner: PartnerRow | undefined) {
  const decided = row.rule !== '';
  const reasons = [
    ...(row.click_injection === 1 ? ['click_injection' as const] : []),
    ...(row.install_hijacking === 1 ? ['install_hijacking' as const] : []),
  ];
  return {
    install_id: row.install_id,
    app_id: row.app_id,
    platform: row.platform,
    installed_at: row.installed_at,
    received_at: row.received_at,
    decided,
    organic: decided ? row.campaign_id === 0 : null,
    campaign: campaign ? { display_id: campaign.display_id, name: campaign.name } : null,
    partner: partner ? { id: partner.id, name: partner.name } : null,
    ad_network: campaign?.network ?? null,
    rule: orNull(row.rule),
    touch_type: orNull(row.touch_type),
    seconds_to_install: row.touch_to_install_ms === null ? null : row.touch_to_install_ms / 1000,
    country: orNull(row.country),
    os: orNull(readUserAgent(row.ua).os),
    reinstall: decided ? row.reinstall === 1 : null,
    suspicious: decided ? reasons.length > 0 : null,
    suspicious_reasons: reasons,
    user_id: orNull(row.user_id),
    gaid: row.gaid,
    idfa: row.idfa,
  };
}

/** An event of an install. */
export const presentEvent = (row: EventRow) => ({
  event_id: row.event_id,
  type: row.type,
  name: orNull(row.name),
  time: row.time,
  received_at: row.received_at,
  payment_type: orNull(row.payment_type),
  amount: row.amount,
  currency: orNull(row.currency),
  user_id: orNull(row.user_id),
  link: orNull(row.link),
});
