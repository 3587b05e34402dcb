/** The checks of the S2S endpoints, in the order in which they answer (decisions.md §4). */
import { isInstant } from '../http/validate';
import { deviceId } from '../ingest/device-id';
import { parseIp } from '../net/ip';
import type { Campaign, Directory } from '../projects/directory';
import { canonicalAppId } from '../projects/app-id';
import { sha256 } from '../secrets';
import type { Reason } from './faults';
import type { Draft } from './input';

/** What the checks know besides the request. */
export interface Context {
  readonly enabled: boolean;
  readonly directory: Directory;
  readonly datacenters: { contains(ip: string): boolean };
}

/** Judges a draft and fills in what it finds; a reason ends the request. */
export type Check = (draft: Draft, context: Context) => Reason | undefined;

export const MAX_CHARACTERS = 256;
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_LOOKBACK_HOURS = 24;
const MACRO = /(?:\{|%7b)[A-Za-z0-9_.-]{1,64}(?:\}|%7d)/i;

const s2sEnabled: Check = (_draft, { enabled }) => (enabled ? undefined : 's2s_disabled');

/** Without a recent configuration nobody can be told apart: neither accepted nor refused for good. */
const configurationFresh: Check = (_draft, { directory }) => (directory.stale ? 'unavailable' : undefined);

const token: Check = (draft, { directory }) => {
  if (!draft.token) return 'missing_token';
  const partner = directory.partnerOfToken(sha256(draft.token));
  if (partner === undefined) return 'invalid_token';
  draft.partnerId = partner;
  return undefined;
};

const app: Check = ({ appId, domain }) => (appId || domain ? undefined : 'missing_app');
const campaignCode: Check = ({ fields }) => (fields.c ? undefined : 'missing_c');
const tid: Check = ({ fields }) => (fields.tid ? undefined : 'missing_tid');

/** Counts code points, which are never more than the code units of `length`. */
const valueLength: Check = ({ sent }) => {
  for (const value of sent.values()) if (isTooLong(value)) return 'value_too_long';
  return undefined;
};

const isTooLong = (value: string) =>
  value.length > MAX_CHARACTERS && (value.length > 2 * MAX_CHARACTERS || [...value].length > MAX_CHARACTERS);

const hasMacro = (value: string) => (value.includes('{') || value.includes('%7')) && MACRO.test(value);

const macros: Check = ({ fields, appId, domain }) => {
  for (const field in fields) if (hasMacro(fields[field] as string)) return 'unreplaced_macro';
  return hasMacro(appId) || hasMacro(domain) ? 'unreplaced_macro' : undefined;
};

const deviceIds: Check = (draft) => {
  const gaid = deviceId(draft.fields.gaid as string);
  const idfa = deviceId(draft.fields.idfa as string);
  if (gaid === undefined || idfa === undefined) return 'invalid_device_id';
  draft.gaid = gaid;
  draft.idfa = idfa;
  return undefined;
};

/** Keeps a public address; any other simply is not there. */
const publicIp: Check = (draft) => {
  const parsed = draft.fields.ip ? parseIp(draft.fields.ip) : null;
  draft.ip = parsed?.public ? parsed.ip : '';
  return undefined;
};

const deviceOrIp: Check = ({ gaid, idfa, ip }) => (gaid || idfa || ip ? undefined : 'missing_device_id');
const device: Check = ({ gaid, idfa }) => (gaid || idfa ? undefined : 'missing_device_id');

const tvIp: Check = (draft, { datacenters }) => {
  if (!draft.fields.ip) return 'missing_ip';
  const parsed = parseIp(draft.fields.ip);
  if (!parsed?.public) return 'invalid_ip';
  if (datacenters.contains(parsed.ip)) return 'datacenter_ip';
  draft.ip = parsed.ip;
  return undefined;
};

const tvUserAgent: Check = ({ fields }) => (fields.ua ? undefined : 'missing_ua');

export const TIMESTAMP = /^(?:\d{10}|\d{13})$/;
export const LOOKBACK = /^(\d+)([hd]?)$/i;

/** 13 digits are milliseconds, 10 digits seconds; anything else is no Unix time. */
const unixTime = (value: string) =>
  TIMESTAMP.test(value) ? (value.length === 13 ? Number(value) : Number(value) * 1000) : undefined;

/** A time in the future is now; exactly 24 hours ago is still good. */
const time =
  (field: string, invalid: Reason, tooOld: Reason): Check =>
  (draft) => {
    const value = draft.fields[field] as string;
    if (!value) return undefined;
    const at = unixTime(value);
    if (at === undefined) return invalid;
    if (draft.receipt.at - at > MAX_AGE_MS) return tooOld;
    draft.time = Math.min(at, draft.receipt.at);
    return undefined;
  };

/** The time of an imported click, of any age: it must be there, and can be RFC 3339 too. */
const originalTime: Check = (draft) => {
  const value = draft.fields.click_time as string;
  const at = unixTime(value) ?? (isInstant(value) ? Date.parse(value) : undefined);
  if (at === undefined || at < 0) return 'invalid_click_time';
  draft.time = Math.min(at, draft.receipt.at);
  return undefined;
};

/** Whole hours (`6h`, `6`) or days (`1d`), at least one; longer windows count as 24 hours. */
const lookback: Check = (draft) => {
  const value = draft.fields.vt_lookback as string;
  if (!value) return undefined;
  const match = LOOKBACK.exec(value);
  const hours = match ? Number(match[1]) * (match[2]?.toLowerCase() === 'd' ? 24 : 1) : 0;
  if (hours === 0) return 'invalid_viewthrough_lookback';
  draft.lookbackHours = Math.min(hours, MAX_LOOKBACK_HOURS);
  return undefined;
};

/** Which campaign of the partner is meant: by domain, or by app in any of the projects that have it. */
const campaign: Check = (draft, context) =>
  draft.domain ? campaignOfDomain(draft, context) : campaignOfApp(draft, context);

function campaignOfDomain(draft: Draft, { directory }: Context): Reason | undefined {
  const domain = directory.domain(draft.domain);
  if (!domain) return 'unknown_domain';
  const found = ownCampaign(draft, directory.campaign(domain.projectId, draft.fields.c as string));
  if (!found || (found.domainId !== null && found.domainId !== domain.id)) return 'unknown_campaign';
  draft.campaign = found;
  return undefined;
}

function campaignOfApp(draft: Draft, { directory }: Context): Reason | undefined {
  const projects = directory.projectsOfApp(draft.appId);
  if (projects.length === 0) return 'unknown_app';
  let found: Campaign | undefined;
  let switchedOn = 0;
  for (const projectId of projects) {
    const candidate = ownCampaign(draft, directory.campaign(projectId, draft.fields.c as string));
    if (!candidate) continue;
    const on = trafficOn(draft, directory, projectId);
    if (on) switchedOn += 1;
    if (on || !found) found = candidate;
  }
  if (!found) return 'unknown_campaign';
  if (switchedOn > 1) return 'ambiguous_app';
  draft.campaign = found;
  return undefined;
}

/** A campaign of another partner, an inactive one or a deleted one might as well not exist. */
function ownCampaign(draft: Draft, found: Campaign | undefined): Campaign | undefined {
  return found?.live && found.partnerId === draft.partnerId ? found : undefined;
}

/** The campaign of the project into which clicks are imported, whoever its partner is, live or not; an app or domain must be the project's. */
const campaignOfProject =
  (projectId: number): Check =>
  (draft, { directory }) => {
    const domain = draft.domain ? directory.domain(draft.domain) : undefined;
    if (draft.domain && domain?.projectId !== projectId) return 'unknown_domain';
    if (draft.appId && !directory.platformOf(projectId, canonicalAppId(draft.appId))) return 'unknown_app';
    const found = directory.campaign(projectId, draft.fields.c as string);
    if (!found || found.deleted || (domain && found.domainId !== null && found.domainId !== domain.id))
      return 'unknown_campaign';
    draft.campaign = found;
    draft.partnerId = found.partnerId ?? 0;
    return undefined;
  };

function trafficOn(draft: Draft, directory: Directory, projectId: number): boolean {
  const switches = directory.switchesOf(projectId, draft.partnerId);
  return draft.definition.kind === 'click' ? switches.s2sClicks : switches.s2sTraffic;
}

const partnerEnabled: Check = (draft, { directory }) =>
  trafficOn(draft, directory, (draft.campaign as Campaign).projectId) ? undefined : 'partner_not_enabled';

const viewThrough: Check = (draft, { directory }) =>
  directory.switchesOf((draft.campaign as Campaign).projectId, draft.partnerId).viewThrough
    ? undefined
    : 'view_through_disabled';

/** CTV is switched on app by app; a request by domain names no app, so any will do. */
const ctv: Check = (draft, { directory }) => {
  const { ctvApps } = directory.switchesOf((draft.campaign as Campaign).projectId, draft.partnerId);
  return (draft.domain ? ctvApps.size > 0 : ctvApps.has(canonicalAppId(draft.appId))) ? undefined : 'ctv_not_enabled';
};

const form = [valueLength, macros] as const;
const first = [s2sEnabled, configurationFresh, token, app, campaignCode, tid, ...form] as const;
const impressionTime = time('impression_time', 'invalid_impression_time', 'impression_too_old');

export const CHECKS: Readonly<Record<Draft['definition']['kind'], readonly Check[]>> = {
  click: [
    ...first,
    deviceIds,
    publicIp,
    deviceOrIp,
    time('click_time', 'invalid_click_time', 'click_too_old'),
    campaign,
    partnerEnabled,
  ],
  impression: [...first, deviceIds, device, publicIp, impressionTime, lookback, campaign, partnerEnabled, viewThrough],
  ctv_impression: [...first, tvIp, tvUserAgent, impressionTime, lookback, campaign, partnerEnabled, viewThrough, ctv],
};

/** What a click is checked for that is imported into a project: its form, and no switch, limit or age. */
export const importChecks = (projectId: number): readonly Check[] => [
  campaignCode,
  tid,
  ...form,
  deviceIds,
  publicIp,
  deviceOrIp,
  originalTime,
  campaignOfProject(projectId),
];

/** The reason of the first of the checks that fails; undefined when the request is good, and the draft complete. */
export function judge(draft: Draft, context: Context, checks = CHECKS[draft.definition.kind]): Reason | undefined {
  for (const check of checks) {
    const reason = check(draft, context);
    if (reason) return reason;
  }
  return undefined;
}

/** Which of the fields of a draft a reason is about, by its own name. */
export function fieldOf(reason: Reason, { sent, fields }: Draft): string {
  const named = FIELDS[reason];
  if (named) return named;
  if (reason === 'invalid_device_id') return deviceId(fields.gaid as string) === undefined ? 'gaid' : 'idfa';
  const offends = reason === 'value_too_long' ? isTooLong : hasMacro;
  return [...sent].find(([, value]) => offends(value))?.[0] ?? '';
}

const FIELDS: Readonly<Partial<Record<Reason, string>>> = {
  missing_c: 'c',
  missing_tid: 'tid',
  missing_device_id: 'gaid',
  invalid_click_time: 'click_time',
  unknown_app: 'app_id',
  unknown_domain: 'd',
  unknown_campaign: 'c',
};
