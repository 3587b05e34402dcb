/** An app event from JSON to a row of adtrail.app_events (docs/contract/collectors.md). */
import { deviceId } from '../ingest/device-id';
import { INSTALL_KEY_PREFIX } from '../ingest/hidden-installs';
import { eventId } from '../ingest/record-id';
import type { Receipt } from '../ingest/receipts';
import type { NewRecord, Row } from '../ingest/record';
import { findCountry } from '../net/country';
import { parseIp } from '../net/ip';
import { canonicalAppId } from '../configuration/app-id';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { displayIdOfLink } from '../configuration/campaign-url';
import { isObject } from '../ingest/batch';
import { cutName, normaliseText } from '../lib/text';
import { DAY_MS, isNoTime } from '../lib/time';
import { appEventSchema, MAX_ID, MAX_NAME, MAX_UA, type AppEvent, type Attribution } from './app-schema';
import type { EventError } from './batch';
import { isMangledId } from './spend-id';
import { eventTime, formErrorFinder, isNoId, present, type Readers, type Sender } from './event';

/** The event_key of an install, which happens once: one told by an app, one by the project's server. */
const APP_INSTALL_KEY = `${INSTALL_KEY_PREFIX}000000000000`;
const SERVER_INSTALL_KEY = `${INSTALL_KEY_PREFIX}000000000001`;
const CLICK_ID = /(?:^|[?&])svc_ia_id=([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:&|$)/i;

/** The columns of a row, its ID first. */
export const APP_EVENT_COLUMNS = [
  'id',
  'project_id',
  'install_id',
  'event_key',
  'event_id',
  'type',
  'time',
  'received_at',
  'app_id',
  'platform',
  'name',
  'payment_type',
  'amount',
  'currency',
  'gaid',
  'idfa',
  'ip',
  'ua',
  'country',
  'user_id',
  'user',
  'device',
  'link',
  'link_campaign_id',
  'referrer',
  'referrer_click_id',
  'referrer_click_time',
  'install_begin_time',
  'attribution',
  'trusted',
  'version',
] as const;

type AppEventRow = Row<(typeof APP_EVENT_COLUMNS)[number]>;

/** What stands for no advertising ID beside the all-zero one. */
const NO_DEVICE_ID = /^(?:[0-]+|null|\(null\)|nil|none|undefined|unknown|nan|n\/a)$/i;

const readDeviceId = (value: unknown) => (typeof value === 'string' && NO_DEVICE_ID.test(value.trim()) ? '' : value);
const readUser = (user: unknown) => (isObject(user) && isNoId(user.id) ? { ...user, id: null } : user);
const readTime = (value: unknown) => (isNoTime(value) ? '' : value);
/** A function that reads a text and leaves what is none to the check of the form. */
const ofText = (read: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? read(value) : value;
const readCode = ofText((text) => normaliseText(text).toUpperCase());
const readLabel = ofText(normaliseText);
const readName = ofText((text) => cutName(text, MAX_NAME));
const readShortName = ofText((text) => cutName(text, MAX_ID));

/** How fields are read before their form is checked; what becomes empty counts as not sent. */
const READERS: Readers = {
  name: readLabel,
  payment_type: readLabel,
  currency: readCode,
  gaid: readDeviceId,
  idfa: readDeviceId,
  user: readUser,
  ua: ofText((text) => text.slice(0, MAX_UA).toWellFormed()),
  referrer_click_time: readTime,
  install_begin_time: readTime,
};
const ATTRIBUTION_READERS: Readers = {
  network: readCode,
  network_campaign_name: readName,
  ad_set_name: readName,
  ad_name: readName,
  keyword_name: readName,
  ad_type: readShortName,
  publisher_platform: readShortName,
  platform_position: readShortName,
  touched_at: readTime,
};

const findFormError = formErrorFinder(appEventSchema);

const missing = (field: string): EventError => ({ reason: 'missing_field', field });

/** What an event of this type lacks. */
function findTypeError(event: AppEvent): EventError | undefined {
  if (event.type === 'event' && !event.name) return missing('name');
  const paid = event.type === 'payment' || event.type === 'refund';
  if (paid && event.amount === undefined) return missing('amount');
  if ((paid || event.amount !== undefined) && !event.currency) return missing('currency');
  return undefined;
}

/** What only a project's own server may send. */
function findForbidden({ type, attribution }: AppEvent, { trusted }: Sender): EventError | undefined {
  if (trusted) return undefined;
  if (type === 'refund') return { reason: 'forbidden_field', field: 'type' };
  return attribution ? { reason: 'forbidden_field', field: 'attribution' } : undefined;
}

function findAttributionError(
  attribution: Attribution,
  projectId: number,
  snapshot: ConfigSnapshot,
): EventError | undefined {
  if (attribution.campaign_display_id) {
    const known = snapshot.campaign(projectId, attribution.campaign_display_id);
    return known && !known.deleted ? undefined : { reason: 'invalid_field', field: 'attribution.campaign_display_id' };
  }
  if (attribution.network_campaign_id && isMangledId(attribution.network_campaign_id))
    return { reason: 'invalid_field', field: 'attribution.network_campaign_id' };
  const field = (['network', 'network_campaign_id'] as const).find((name) => !attribution[name]);
  return (
    field &&
    missing(
      field === 'network' && attribution.network_campaign_id === undefined
        ? 'attribution.campaign_display_id'
        : `attribution.${field}`,
    )
  );
}

/**
 * The record of an event to store, or what is wrong with the event. `receipt` says when it was received.
 */
export function validateAppEvent(
  sent: Readonly<Record<string, unknown>>,
  sender: Sender,
  receipt: Receipt,
  snapshot: ConfigSnapshot,
): NewRecord | EventError {
  const fields = present(sent, READERS);
  const event = (isObject(fields.attribution)
    ? { ...fields, attribution: present(fields.attribution, ATTRIBUTION_READERS) }
    : fields) as unknown as AppEvent;
  const error = findFormError(event);
  if (error) return error;
  const { projectId } = sender;
  const refused = findTypeError(event) ?? findForbidden(event, sender);
  if (refused) return refused;
  const appId = canonicalAppId(event.app_id);
  const platform = snapshot.findPlatform(projectId, appId);
  if (!platform) return { reason: 'unknown_app', field: 'app_id' };
  const time = eventTime(event.time, receipt.at, sender);
  if (time === undefined) return { reason: 'too_old', field: 'time' };
  const unattributable = event.attribution && findAttributionError(event.attribution, projectId, snapshot);
  if (unattributable) return unattributable;
  const id = eventId('app_event', projectId, event.event_id, sender.trusted);
  return { id, at: receipt.at, row: toRow(event, { id, time, appId, platform, sender, receipt, snapshot }) };
}

interface Found {
  readonly id: string;
  readonly time: number;
  readonly appId: string;
  readonly platform: string;
  readonly sender: Sender;
  readonly receipt: Receipt;
  readonly snapshot: ConfigSnapshot;
}

function toRow(event: AppEvent, { id, time, appId, platform, sender, receipt, snapshot }: Found): AppEventRow {
  const { type, user, device } = event;
  const { projectId, trusted } = sender;
  // All times of an event are by one clock.
  const shift = time - Date.parse(event.time);
  const paid = type === 'payment' || type === 'refund';
  const install = type === 'install';
  const referrer = install ? (event.referrer ?? '') : '';
  const ip = trusted ? publicIp(event.ip) : sender.ip;
  return {
    id,
    project_id: projectId,
    install_id: event.install_id,
    event_key: install ? (trusted ? SERVER_INSTALL_KEY : APP_INSTALL_KEY) : id,
    event_id: event.event_id,
    type,
    time,
    received_at: receipt.at,
    app_id: appId,
    platform,
    name: type === 'event' ? event.name : '',
    payment_type: paid ? (event.payment_type ?? 'DEFAULT') : '',
    amount: event.amount ?? null,
    currency: event.currency ?? '',
    gaid: deviceId(event.gaid ?? '') ?? null,
    idfa: deviceId(event.idfa ?? '') ?? null,
    ip,
    ua: trusted ? (event.ua ?? '') : sender.ua,
    country: findCountry(ip),
    user_id: user?.id ?? '',
    user: user ? JSON.stringify(user) : '',
    device: device ? JSON.stringify(device) : '',
    link: event.link ?? '',
    link_campaign_id: type === 'open' ? linkedCampaign(event.link, projectId, snapshot) : 0,
    referrer,
    referrer_click_id: readClickId(referrer),
    referrer_click_time: install ? moveTime(event.referrer_click_time, shift, receipt) : null,
    install_begin_time: install ? moveTime(event.install_begin_time, shift, receipt) : null,
    attribution:
      install && event.attribution
        ? attributionText(
            event.attribution,
            moveTime(event.attribution.touched_at, shift, receipt),
            projectId,
            snapshot,
          )
        : '',
    trusted: Number(trusted),
    version: receipt.version,
  };
}

function publicIp(value: string | undefined): string {
  const parsed = value ? parseIp(value) : null;
  return parsed?.public ? parsed.ip : '';
}

/** A time of an event by our clock; null where that makes no sense: before 1970, or a day or more from now. */
function moveTime(time: string | undefined, shift: number, receipt: Receipt): number | null {
  if (time === undefined) return null;
  const at = Date.parse(time) + shift;
  return at > 0 && at < receipt.at + DAY_MS ? at : null;
}

/** The ID of the campaign of the project that a link names; 0 for none. */
function linkedCampaign(link: string | undefined, projectId: number, snapshot: ConfigSnapshot): number {
  const displayId = link && displayIdOfLink(link, (host) => snapshot.domain(host)?.projectId === projectId);
  const campaign = displayId ? snapshot.campaign(projectId, displayId) : undefined;
  return campaign && !campaign.deleted ? campaign.id : 0;
}

/** The click that a referrer names, raw or URL-encoded once. */
function readClickId(referrer: string): string | null {
  const raw = CLICK_ID.exec(referrer)?.[1];
  if (raw || !referrer.includes('%')) return raw?.toLowerCase() ?? null;
  // Decoded as a query string is; what is malformed stays as it is.
  const decoded = new URLSearchParams(`=${referrer.replaceAll('&', '%26').replaceAll('+', '%2B')}`).get('') ?? '';
  return CLICK_ID.exec(decoded)?.[1]?.toLowerCase() ?? null;
}

/** With the campaign's number where a display_id names it, and times in milliseconds. */
function attributionText(
  attribution: Attribution,
  touchedAt: number | null,
  projectId: number,
  snapshot: ConfigSnapshot,
): string {
  const campaign = attribution.campaign_display_id
    ? snapshot.campaign(projectId, attribution.campaign_display_id)
    : undefined;
  return JSON.stringify({
    ...attribution,
    campaign_id: campaign?.id ?? 0,
    touched_at: touchedAt ?? 0,
  });
}
