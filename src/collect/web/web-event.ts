/**
 * A web event from JSON to a row of adtrail.web_events, classified once and for all as it arrives
 * (docs/contract/collectors.md and Web report).
 */
import { Decimal, toText } from '../../lib/decimal';
import { eventId } from '../../ingest/record-id';
import type { Receipt } from '../../ingest/receipts';
import type { NewRecord, Row } from '../../ingest/record';
import { findCountry } from '../../net/country';
import { parseIp } from '../../net/ip';
import { readUserAgent } from '../../net/user-agent';
import { mendText, normaliseText } from '../../lib/text';
import { classify, type OwnSites } from '../../web-channels/classify';
import { isExcludedReferrer } from '../../web-channels/excluded-referrers';
import { readLanding } from '../../web-channels/landing';
import type { EventError } from '../batch';
import { eventTime, formErrorFinder, present, type Sender } from '../event';
import { webEventSchema, type WebEvent } from './schema';
import { parseUrl } from '../../lib/parse-url';

export const WEB_EVENTS = { table: 'web_events', idColumn: 'id' } as const;

/** The columns of a row, its ID first. */
export const WEB_EVENT_COLUMNS = [
  'id',
  'project_id',
  'visitor_id',
  'event_id',
  'type',
  'name',
  'time',
  'received_at',
  'session_id',
  'user_id',
  'url',
  'referrer',
  'revenue',
  'properties',
  'channel',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_id',
  'utm_content',
  'utm_term',
  'click_id_type',
  'click_id',
  'network_campaign_id',
  'ad_set_id',
  'ad_id',
  'is_signup',
  'is_purchase',
  'is_bot',
  'ip',
  'ua',
  'country',
  'device_type',
  'os_name',
  'browser_name',
  'trusted',
  'version',
] as const;

/** Names that count as sign-ups and purchases, in any case (docs/contract/web-report.md). */
const SIGNUP_NAMES: ReadonlySet<string> = new Set([
  'signup',
  'sign_up',
  'signed_up',
  'register',
  'registration',
  'complete_registration',
  'account_created',
]);
const PURCHASE_NAMES: ReadonlySet<string> = new Set([
  'purchase',
  'order_completed',
  'order_complete',
  'checkout_completed',
  'payment_completed',
  'completed_purchase',
]);

/** Decimals of revenue that are stored. */
const REVENUE_DECIMALS = 9;

const findFormError = formErrorFinder(webEventSchema);

/** A number in a text, as templates write it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** The fields of an event that are not sent empty; names, texts and numbers as they are kept, IDs as they are sent. */
function readFields(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { name, url, referrer, ua, properties, revenue, ...rest } = sent;
  const amount = typeof revenue === 'string' ? revenue.trim() : '';
  return present({
    ...rest,
    ...mendText({ url, referrer, ua, properties }),
    name: typeof name === 'string' ? normaliseText(name) : name,
    revenue: NUMBER.test(amount) ? Number(amount) : revenue,
  });
}

/** The record of an event to store, or what is wrong with the event. `own` are the project's own pages. */
export function validateWebEvent(
  sent: Readonly<Record<string, unknown>>,
  sender: Sender,
  receipt: Receipt,
  own: OwnSites,
): NewRecord | EventError {
  const fields = readFields(sent);
  const error = findFormError(fields);
  if (error) return error;
  const event = fields as unknown as WebEvent;
  if (event.type === 'event' && !event.name) return { reason: 'missing_field', field: 'name' };
  const url = parseUrl(event.url);
  if (!url) return { reason: 'invalid_field', field: 'url' };
  const time = eventTime(event.time, receipt.at, sender);
  if (time === undefined) return { reason: 'too_old', field: 'time' };
  const id = eventId('web_event', sender.projectId, event.event_id, sender.trusted);
  return { id, at: receipt.at, row: toRow(event, url, id, time, sender, receipt, own) };
}

function toRow(
  event: WebEvent,
  url: URL,
  id: string,
  time: number,
  sender: Sender,
  receipt: Receipt,
  own: OwnSites,
): Row<(typeof WEB_EVENT_COLUMNS)[number]> {
  const landing = readLanding(url, own.isCampaign);
  const referrer = isExcludedReferrer(event.referrer ?? '') ? '' : (event.referrer ?? '');
  const { channel, source, clickId } = classify(landing, referrer, own);
  const { utm } = landing;
  const name = event.type === 'event' ? (event.name ?? '') : '';
  const ua = sender.trusted ? (event.ua ?? '') : sender.ua;
  const { deviceType, os, browser, isBot } = readUserAgent(ua);
  const given = sender.trusted ? parseIp(event.ip ?? '') : null;
  const ip = given?.public ? given.ip : sender.ip;
  return {
    id,
    project_id: sender.projectId,
    visitor_id: event.visitor_id,
    event_id: event.event_id,
    type: event.type,
    name,
    time,
    received_at: receipt.at,
    session_id: event.session_id,
    user_id: event.user_id ?? '',
    url: event.url,
    referrer,
    revenue: event.revenue === undefined ? null : toText(new Decimal(event.revenue), REVENUE_DECIMALS),
    properties: event.properties ? JSON.stringify(event.properties) : '',
    channel,
    source,
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_campaign: utm.campaign,
    utm_id: utm.id,
    utm_content: utm.content,
    utm_term: utm.term,
    click_id_type: clickId?.parameter ?? '',
    click_id: clickId?.value ?? '',
    network_campaign_id: landing.networkCampaignId,
    ad_set_id: landing.adSetId,
    ad_id: landing.adId,
    is_signup: Number(SIGNUP_NAMES.has(name.toLowerCase())),
    is_purchase: Number(PURCHASE_NAMES.has(name.toLowerCase())),
    is_bot: Number(isBot),
    ip,
    ua,
    country: findCountry(ip),
    device_type: deviceType,
    os_name: os,
    browser_name: browser,
    trusted: Number(sender.trusted),
    version: receipt.version,
  };
}
