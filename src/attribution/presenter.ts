/** Installs as the answers of the attribution endpoints (docs/contract/main-api.md). */
import { MAX_TOUCHES } from '../derive/decisions/queries';
import { WHY, WHY_CREDITED } from '../derive/decisions/words';
import { trackingLink } from '../configuration/campaign-url';
import type { CampaignRow, CandidateRow, ExplainRow, ProfileRow, ResultRow, UserRow } from './queries';
import { DEVICE_TEXTS } from './schema';

const AD_CHANNELS = new Set(['GOOGLE', 'META', 'TIKTOK']);

const orNull = (text: string) => text || null;
/** When the store was opened: only a click opens it. */
const clickTime = (row: { touch_type: string; touch_time: string | null }) =>
  row.touch_type === 'click' ? row.touch_time : null;

/** Everything that was sent; the documented keys always, each of its documented type. */
function deviceData(known: Readonly<Record<string, unknown>>) {
  const text = (value: unknown) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
  const level = Number(known.api_level ?? 0);
  return {
    ...known,
    ...Object.fromEntries(DEVICE_TEXTS.map((name) => [name, text(known[name])])),
    api_level: Number.isFinite(level) ? level : 0,
  };
}

/** What the events of an install say of its user and device, key by key. */
function userData(profile: readonly ProfileRow[]) {
  const known = (about: ProfileRow['about']) =>
    Object.fromEntries(
      profile.filter((row) => row.about === about).map(({ key, value }) => [key, JSON.parse(value) as unknown]),
    );
  return { id: null, name: null, email: null, phone: null, ...known('user'), device_data: deviceData(known('device')) };
}

/** An attributed user of a campaign; `primaryDomain` is the project's. */
export function attributedUser(
  row: UserRow,
  campaign: CampaignRow,
  primaryDomain: string | null,
  profile: readonly ProfileRow[],
) {
  const link = trackingLink({
    domain: campaign.own_domain ?? primaryDomain,
    displayId: campaign.display_id,
    deeplink: campaign.deeplink,
    isShortlink: campaign.is_shortlink,
  });
  return {
    attributed_at: row.install_time,
    ad_channel: campaign.network !== null && AD_CHANNELS.has(campaign.network) ? campaign.network : null,
    campaign_display_id: campaign.display_id,
    campaign_name: campaign.name,
    link: orNull(link),
    installed_at: row.install_time,
    store_click_at: clickTime(row),
    meta_ad_id: campaign.network === 'META' ? row.ad_id : '',
    ad_creative_id: row.ad_id,
    ad_creative_name: row.ad_name,
    ad_set_id: row.ad_set_id,
    ad_set_name: row.ad_set_name,
    publisher_platform: orNull(row.publisher_platform),
    platform_position: orNull(row.platform_position),
    user_data: userData(profile),
  };
}

/** The attribution of one install; `campaign` is undefined for an organic one. */
export function attributionResult(
  row: ResultRow,
  campaign: CampaignRow | undefined,
  primaryDomain: string | null,
  userId: string | null,
) {
  const partner = campaign?.partner?.toUpperCase().replaceAll(' ', '_');
  return {
    campaign_name: campaign?.name ?? null,
    display_id: campaign?.display_id ?? null,
    ad_network_campaign_id: campaign?.network_campaign_id ?? null,
    deeplink: campaign?.deeplink ?? null,
    domain_name: campaign ? (campaign.own_domain ?? primaryDomain) : null,
    ad_set_id: orNull(row.ad_set_id),
    ad_set_name: orNull(row.ad_set_name),
    ad_creative_id: orNull(row.ad_id),
    ad_creative_name: orNull(row.ad_name),
    keyword_id: orNull(row.keyword_id),
    keyword_name: orNull(row.keyword_name),
    ad_network: partner ?? campaign?.network ?? null,
    attribution_type: campaign ? 'INORGANIC' : 'ORGANIC',
    user_id: userId,
    gaid: row.gaid,
    idfa: row.idfa,
    store_click_at: clickTime(row),
    installed_at: row.install_time,
  };
}

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

/** How many touches are looked at, and how many of them are shown. */
export const LIMITS = { touches_per_identifier: MAX_TOUCHES, candidates_shown: 100 };

/** The times between which a touch counts for the install. */
const presentWindow = (installTime: string, windowSeconds: number | null) =>
  windowSeconds === null
    ? { window_from: null, window_to: null }
    : {
        window_from: new Date(Date.parse(installTime) - windowSeconds * 1000).toISOString(),
        window_to: installTime,
      };

/** Why an install was credited as it was, as decided; `names` knows the campaigns of the candidates. */
export function explanation(row: ExplainRow, names: ReadonlyMap<number, CampaignRow>) {
  const {
    event_id,
    app_id,
    platform,
    install_time,
    received_at,
    gaid,
    idfa,
    decided_at,
    rule,
    touch_id,
    touch_time,
    window_seconds,
  } = row;
  const candidate = ({ campaign_id, ...one }: CandidateRow) => ({
    ...presentWindow(install_time, one.window_seconds),
    partner: names.get(campaign_id)?.partner ?? null,
    ad_network: names.get(campaign_id)?.network ?? null,
    why: WHY[one.verdict] ?? '',
    rule: one.rule,
    touch_type: one.touch_type,
    touch_id: one.touch_id,
    touch_time: one.touch_time,
    received_at: one.received_at,
    campaign_display_id: names.get(campaign_id)?.display_id ?? '',
    campaign_name: names.get(campaign_id)?.name ?? '',
    window_seconds: one.window_seconds,
    seconds_to_install: (Date.parse(install_time) - Date.parse(one.touch_time)) / 1000,
    verdict: one.verdict,
  });
  return {
    install_id: row.install_id,
    decided: true,
    install: {
      event_id,
      app_id,
      platform,
      install_time,
      received_at,
      gaid,
      idfa,
      ip: orNull(row.ip),
      ua: orNull(row.ua),
    },
    decision: {
      decided_at,
      rule,
      campaign_display_id: orNull(row.campaign_display_id),
      campaign_name: orNull(row.campaign_name),
      partner: orNull(row.partner_name),
      touch_type: orNull(row.touch_type),
      touch_id,
      touch_time,
      window_seconds,
      seconds_to_install: seconds(row.touch_to_install_ms),
      ...presentWindow(install_time, window_seconds),
      why: WHY_CREDITED[rule] ?? '',
      reinstall: row.reinstall === 1,
      click_injection: row.click_injection === 1,
      install_hijacking: row.install_hijacking === 1,
    },
    candidates: row.candidates.map(candidate),
    limits: LIMITS,
  };
}
