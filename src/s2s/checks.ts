/** The checks of the S2S endpoints, in the order in which they answer (docs/contract/s2s.md). */
import { isInstant } from '../lib/validate';
import { deviceId } from '../ingest/device-id';
import { parseIp } from '../net/ip';
import type { Campaign, ConfigSnapshot } from '../configuration/config-snapshot';
import { canonicalAppId } from '../configuration/app-id';
import { sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { hasUnreplacedMacro } from '../lib/unreplaced-macro';
import { readRejection, type Reason } from './reasons';
import type { S2sRequest } from './input';

/** What the checks know besides the request. */
export interface Context {
  readonly enabled: boolean;
  readonly snapshot: ConfigSnapshot;
  readonly datacenters: { contains(ip: string): boolean };
}

/** Checks one thing about a request and fills in what it finds; a reason ends the request. */
export type Check = (request: S2sRequest, context: Context) => Reason | undefined;

/** Every check by its name, and the limit of the campaign, which a trial run shows as the last of them. */
export type CheckName =
  | 's2s_enabled'
  | 'configuration'
  | 'token'
  | 'app'
  | 'c'
  | 'tid'
  | 'value_length'
  | 'macros'
  | 'device_ids'
  | 'ip'
  | 'device'
  | 'ua'
  | 'click_time'
  | 'impression_time'
  | 'vt_lookback'
  | 'campaign'
  | 'partner_enabled'
  | 'view_through'
  | 'ctv'
  | 'campaign_limit';

/** A check by the name under which a trial run shows it (src/s2s/trial.ts). */
export interface NamedCheck {
  readonly name: CheckName;
  readonly run: Check;
  /** The checks that must have passed before this one says anything that is true; a trial run leaves it out else. */
  readonly needs: readonly CheckName[];
}

export const MAX_CHARACTERS = 256;
const MAX_AGE_MS = DAY_MS;
const MAX_LOOKBACK_HOURS = 24;

const s2sEnabled: Check = (_draft, { enabled }) => (enabled ? undefined : 's2s_disabled');

/** With an outdated configuration a token may be good or bad: the request is neither accepted nor refused for good. */
const configurationFresh: Check = (_draft, { snapshot }) => (snapshot.stale ? 'unavailable' : undefined);

const token: Check = (request, { snapshot }) => {
  // In a trial that a person of the partner asks for, the partner is known without a token.
  if (request.partnerId !== 0) return undefined;
  if (!request.token) return 'missing_token';
  const partner = snapshot.partnerOfToken(sha256(request.token));
  if (partner === undefined) return 'invalid_token';
  request.partnerId = partner;
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

const macros: Check = ({ fields, appId, domain }) => {
  for (const field in fields) if (hasUnreplacedMacro(fields[field] as string)) return 'unreplaced_macro';
  return hasUnreplacedMacro(appId) || hasUnreplacedMacro(domain) ? 'unreplaced_macro' : undefined;
};

const deviceIds: Check = (request) => {
  const gaid = deviceId(request.fields.gaid as string);
  const idfa = deviceId(request.fields.idfa as string);
  if (gaid === undefined || idfa === undefined) return 'invalid_device_id';
  request.gaid = gaid;
  request.idfa = idfa;
  return undefined;
};

/** Keeps a public address; any other simply is not there. */
const publicIp: Check = (request) => {
  const parsed = request.fields.ip ? parseIp(request.fields.ip) : null;
  request.ip = parsed?.public ? parsed.ip : '';
  return undefined;
};

const deviceOrIp: Check = ({ gaid, idfa, ip }) => (gaid || idfa || ip ? undefined : 'missing_device_id');
const device: Check = ({ gaid, idfa }) => (gaid || idfa ? undefined : 'missing_device_id');

const tvIp: Check = (request, { datacenters }) => {
  if (!request.fields.ip) return 'missing_ip';
  const parsed = parseIp(request.fields.ip);
  if (!parsed?.public) return 'invalid_ip';
  if (datacenters.contains(parsed.ip)) return 'datacenter_ip';
  request.ip = parsed.ip;
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
  (request) => {
    const value = request.fields[field] as string;
    if (!value) return undefined;
    const at = unixTime(value);
    if (at === undefined) return invalid;
    if (request.now - at > MAX_AGE_MS) return tooOld;
    request.time = Math.min(at, request.now);
    return undefined;
  };

/** The time of an imported click, of any age: it must be there, and can be RFC 3339 too. */
const originalTime: Check = (request) => {
  const value = request.fields.click_time as string;
  const at = unixTime(value) ?? (isInstant(value) ? Date.parse(value) : undefined);
  if (at === undefined || at < 0) return 'invalid_click_time';
  request.time = Math.min(at, request.now);
  return undefined;
};

/** Whole hours (`6h`, `6`) or days (`1d`), at least one; longer windows count as 24 hours. */
const lookback: Check = (request) => {
  const value = request.fields.vt_lookback as string;
  if (!value) return undefined;
  const match = LOOKBACK.exec(value);
  const hours = match ? Number(match[1]) * (match[2]?.toLowerCase() === 'd' ? 24 : 1) : 0;
  if (hours === 0) return 'invalid_viewthrough_lookback';
  request.lookbackHours = Math.min(hours, MAX_LOOKBACK_HOURS);
  return undefined;
};

/** Which campaign of the partner is meant: by domain, or by app in any of the projects that have it. */
const campaign: Check = (request, context) =>
  request.domain ? campaignOfDomain(request, context) : campaignOfApp(request, context);

function campaignOfDomain(request: S2sRequest, { snapshot }: Context): Reason | undefined {
  const domain = snapshot.domain(request.domain);
  if (!domain) return 'unknown_domain';
  const found = ownCampaign(request, snapshot.campaign(domain.projectId, request.fields.c as string));
  if (!found || (found.domainId !== null && found.domainId !== domain.id)) return 'unknown_campaign';
  request.campaign = found;
  return undefined;
}

function campaignOfApp(request: S2sRequest, { snapshot }: Context): Reason | undefined {
  const projects = snapshot.projectsOfApp(request.appId);
  if (projects.length === 0) return 'unknown_app';
  let found: Campaign | undefined;
  let switchedOn = 0;
  for (const projectId of projects) {
    const candidate = ownCampaign(request, snapshot.campaign(projectId, request.fields.c as string));
    if (!candidate) continue;
    const on = trafficOn(request, snapshot, projectId);
    if (on) switchedOn += 1;
    if (on || !found) found = candidate;
  }
  if (!found) return 'unknown_campaign';
  if (switchedOn > 1) return 'ambiguous_app';
  request.campaign = found;
  return undefined;
}

/** A campaign of another partner, an inactive one or a deleted one might as well not exist. */
function ownCampaign(request: S2sRequest, found: Campaign | undefined): Campaign | undefined {
  return found?.live && found.partnerId === request.partnerId ? found : undefined;
}

/**
 * The campaign of the project into which clicks are imported, whoever its partner is, live or not; an app or domain
 * must be the project's.
 */
const campaignOfProject =
  (projectId: number): Check =>
  (request, { snapshot }) => {
    const domain = request.domain ? snapshot.domain(request.domain) : undefined;
    if (request.domain && domain?.projectId !== projectId) return 'unknown_domain';
    if (request.appId && !snapshot.findPlatform(projectId, canonicalAppId(request.appId))) return 'unknown_app';
    const found = snapshot.campaign(projectId, request.fields.c as string);
    if (!found || found.deleted || (domain && found.domainId !== null && found.domainId !== domain.id))
      return 'unknown_campaign';
    request.campaign = found;
    request.partnerId = found.partnerId ?? 0;
    return undefined;
  };

function trafficOn(request: S2sRequest, snapshot: ConfigSnapshot, projectId: number): boolean {
  const switches = snapshot.readSwitches(projectId, request.partnerId);
  return request.definition.kind === 'click' ? switches.s2sClicks : switches.s2sTraffic;
}

const partnerEnabled: Check = (request, { snapshot }) =>
  trafficOn(request, snapshot, (request.campaign as Campaign).projectId) ? undefined : 'partner_not_enabled';

const viewThrough: Check = (request, { snapshot }) =>
  snapshot.readSwitches((request.campaign as Campaign).projectId, request.partnerId).viewThrough
    ? undefined
    : 'view_through_disabled';

/** CTV is switched on app by app; a request by domain names no app, so any will do. */
const ctv: Check = (request, { snapshot }) => {
  const { ctvApps } = snapshot.readSwitches((request.campaign as Campaign).projectId, request.partnerId);
  return (request.domain ? ctvApps.size > 0 : ctvApps.has(canonicalAppId(request.appId)))
    ? undefined
    : 'ctv_not_enabled';
};

const named = (name: CheckName, run: Check, needs: readonly CheckName[] = ['token']): NamedCheck => ({
  name,
  run,
  needs,
});

const form = [named('value_length', valueLength), named('macros', macros)] as const;
/** What is checked of a sender before anything that it sends. */
export const ADMISSION = [
  named('s2s_enabled', s2sEnabled, []),
  named('configuration', configurationFresh, ['s2s_enabled']),
  named('token', token, ['configuration']),
] as const;
const first = [...ADMISSION, named('app', app), named('c', campaignCode), named('tid', tid), ...form] as const;
const devices = named('device_ids', deviceIds);
const anyIp = named('ip', publicIp);
const impressionTime = [
  named('impression_time', time('impression_time', 'invalid_impression_time', 'impression_too_old')),
  named('vt_lookback', lookback),
] as const;
const target = [
  named('campaign', campaign, ['token', 'app', 'c']),
  named('partner_enabled', partnerEnabled, ['campaign']),
] as const;
const views = named('view_through', viewThrough, ['campaign']);

export const CHECKS: Readonly<Record<S2sRequest['definition']['kind'], readonly NamedCheck[]>> = {
  click: [
    ...first,
    devices,
    anyIp,
    named('device', deviceOrIp, ['device_ids']),
    named('click_time', time('click_time', 'invalid_click_time', 'click_too_old')),
    ...target,
  ],
  impression: [...first, devices, named('device', device, ['device_ids']), anyIp, ...impressionTime, ...target, views],
  ctv_impression: [
    ...first,
    named('ip', tvIp),
    named('ua', tvUserAgent),
    ...impressionTime,
    ...target,
    views,
    named('ctv', ctv, ['campaign']),
  ],
};

/** What a click is checked for that is imported into a project: its form, and no switch, limit or age. */
export const importChecks = (projectId: number): readonly NamedCheck[] => [
  named('c', campaignCode),
  named('tid', tid),
  ...form,
  devices,
  anyIp,
  named('device', deviceOrIp),
  named('click_time', originalTime),
  named('campaign', campaignOfProject(projectId)),
];

/** The reason of the first of the checks that fails; undefined when the request is good, and the request complete. */
export function validate(
  request: S2sRequest,
  context: Context,
  checks = CHECKS[request.definition.kind],
): Reason | undefined {
  for (const check of checks) {
    const reason = check.run(request, context);
    if (reason) return reason;
  }
  return undefined;
}

/**
 * The project that a refused request names, and the campaign if it is one of the partner's, however wrong the rest of
 * the request is; 0 for what is not known.
 */
export function findPlace(request: S2sRequest, context: Context): { projectId: number; campaignId: number } {
  const { partnerId, appId, domain } = request;
  if (partnerId === 0) return NOWHERE;
  if (!request.campaign && (appId || domain)) campaign(request, context);
  if (request.campaign) return { projectId: request.campaign.projectId, campaignId: request.campaign.id };
  const { snapshot } = context;
  if (domain) return { projectId: snapshot.domain(domain)?.projectId ?? 0, campaignId: 0 };
  const [projectId = 0, ...others] = snapshot.projectsOfApp(appId);
  return { projectId: others.length === 0 ? projectId : 0, campaignId: 0 };
}

const NOWHERE = { projectId: 0, campaignId: 0 } as const;

/** Which of the fields of a request a reason is about, by its own name. */
export function findField(reason: Reason, { sent, fields, appId, domain }: S2sRequest): string {
  const { field } = readRejection(reason);
  if (field) return field;
  if (reason === 'invalid_device_id') return deviceId(fields.gaid as string) === undefined ? 'gaid' : 'idfa';
  // What is ignored may hold any macro, but nothing too long.
  const [values, offends] =
    reason === 'value_too_long'
      ? [[...sent], isTooLong]
      : [Object.entries({ ...fields, app_id: appId, d: domain }), hasUnreplacedMacro];
  return values.find(([, value]) => offends(value))?.[0] ?? '';
}
