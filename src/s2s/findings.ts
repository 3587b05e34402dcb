/**
 * What a check found, in plain words. Partners read it: it tells of nothing that is not theirs, and never repeats the
 * token.
 */
import { canonicalAppId } from '../configuration/app-id';
import type { Campaign } from '../configuration/config-snapshot';
import { parseIp } from '../net/ip';
import { sha256 } from '../lib/secrets';
import { findField, MAX_CHARACTERS, type CheckName, type Context } from './checks';
import type { S2sRequest } from './input';
import { findMacro } from './macro-templates';
import type { Reason } from './reasons';

/** What is shown of a value that was sent. */
const MAX_SHOWN = 80;

/** Says what a check found; `reason` is undefined where it passed. */
type Finding = (request: S2sRequest, context: Context, reason: Reason | undefined) => string | undefined;

function shown(value: string): string {
  const characters = [...value.slice(0, 2 * MAX_SHOWN)];
  return JSON.stringify(
    characters.length > MAX_SHOWN || value.length > 2 * MAX_SHOWN
      ? `${characters.slice(0, MAX_SHOWN).join('')}…`
      : value,
  );
}

const named =
  (name: string): Finding =>
  ({ fields }) =>
    fields[name] ? `${name} is ${shown(fields[name])}.` : `There is no ${name}.`;

const tooLong: Finding = (request, _, reason) =>
  reason && `The parameter ${shown(findField(reason, request))} has more than ${MAX_CHARACTERS} characters.`;

const macro: Finding = (request, _, reason) => {
  if (!reason) return undefined;
  const { fields, appId, domain } = request;
  const name = findField(reason, request);
  const value = { ...fields, app_id: appId, d: domain }[name] ?? '';
  return `${name} is ${shown(value)}: a macro in it was not replaced.${whoWrites(value)}`;
};

/** Which networks and trackers have such a macro: there it was to be filled in. */
function whoWrites(value: string): string {
  const found = findMacro(value);
  if (!found) return '';
  const { macro: written, names } = found;
  const others = names.length - MAX_NAMES;
  const all = others > 0 ? [...names.slice(0, MAX_NAMES), `${others} more`] : names;
  const listed = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all[0];
  return ` ${written} is a macro of ${listed}: another system has called their URL, or somebody tried it by hand.`;
}
const MAX_NAMES = 3;

const deviceIds: Finding = (request, _, reason) => {
  if (reason) {
    const name = findField(reason, request);
    return `${name} is ${shown(request.fields[name] ?? '')}, which is no UUID with hyphens.`;
  }
  const found = (['gaid', 'idfa'] as const).filter((name) => request[name]);
  return found.length > 0 ? `${found.join(' and ')} can be matched.` : 'There is neither gaid nor idfa.';
};

const ip: Finding = ({ fields, definition }, _, reason) => {
  const { ip: sent = '' } = fields;
  if (!sent) return 'There is no ip.';
  const parsed = parseIp(sent);
  if (!parsed) return `ip is ${shown(sent)}, which is no IP address${reason ? '' : ': it is ignored'}.`;
  if (!parsed.public) return `${parsed.ip} is not a public address${reason ? '' : ': it is ignored'}.`;
  if (reason) return `${parsed.ip} belongs to a cloud or hosting network.`;
  const use = definition.kind === 'impression' ? 'stored, and not matched' : 'public, and can be matched';
  return `${parsed.ip} is ${use}.`;
};

const device: Finding = ({ definition }, _, reason) => {
  const needed = definition.kind === 'click' ? 'gaid, idfa or a public ip' : 'gaid or idfa';
  return `${reason ? 'There is none of' : 'There is one of'} ${needed}.`;
};

const time =
  (name: string): Finding =>
  (request, _, reason) => {
    const value = request.fields[name];
    if (!value) return `There is no ${name}: it happened now.`;
    if (reason?.startsWith('invalid')) return `${name} is ${shown(value)}, which is no Unix time of 10 or 13 digits.`;
    if (reason) return `${name} is ${shown(value)}, which is more than 24 hours ago.`;
    const at = new Date(request.time).toISOString();
    return request.time === request.now ? `${at}: now.` : `${at}.`;
  };

const lookback: Finding = ({ fields, lookbackHours }, _, reason) => {
  const { vt_lookback: value } = fields;
  if (!value) return 'There is no vt_lookback: the window of the advertiser holds.';
  if (reason) return `vt_lookback is ${shown(value)}: whole hours (6h) or days (1d), at least one.`;
  return `At most ${lookbackHours} hours.`;
};

const placeName = ({ domain, appId }: S2sRequest) =>
  domain ? `the domain ${shown(domain)}` : `the app ${shown(canonicalAppId(appId))}`;

const project = ({ snapshot }: Context, { projectId }: Campaign) => snapshot.project(projectId)?.name ?? '';

const campaign: Finding = (request, context, reason) => {
  const code = shown(request.fields.c ?? '');
  if (reason === 'unknown_app' || reason === 'unknown_domain') return `No project has ${placeName(request)}.`;
  if (reason === 'ambiguous_app')
    return `Several projects with ${placeName(request)} have a campaign ${code} of yours that is on: send d instead.`;
  if (reason) {
    const isOver = isOwnButOver(request, context);
    return isOver
      ? `Your campaign ${code} there is inactive or deleted.`
      : `No campaign of yours there has the code ${code}.`;
  }
  const found = request.campaign as Campaign;
  return `Campaign ${found.displayId} of project ${project(context, found)}.`;
};

/** Whether the token itself says who asks, and not the session of a person. */
const isOfToken = ({ token, partnerId }: S2sRequest, { snapshot }: Context) =>
  token !== '' && snapshot.partnerOfToken(sha256(token)) === partnerId;

/** Whether the partner has that campaign there, and it no longer counts. */
function isOwnButOver({ domain, appId, fields, partnerId }: S2sRequest, { snapshot }: Context): boolean {
  const projects = domain ? [snapshot.domain(domain)?.projectId ?? 0] : snapshot.projectsOfApp(appId);
  return projects.some((projectId) => {
    const found = snapshot.campaign(projectId, fields.c as string);
    return found !== undefined && found.partnerId === partnerId && !found.live;
  });
}

const switched =
  (what: (request: S2sRequest) => string): Finding =>
  (request, context, reason) => {
    const has = reason ? 'has not' : 'has';
    return `Project ${project(context, request.campaign as Campaign)} ${has} switched on ${what(request)}.`;
  };

const FINDINGS: Readonly<Record<CheckName, Finding>> = {
  s2s_enabled: (_request, _context, reason) => (reason ? 'This service takes no S2S requests.' : undefined),
  configuration: (_request, _context, reason) =>
    reason ? 'The configuration is older than 5 minutes: nothing can be said of tokens and campaigns.' : undefined,
  token: (request, context, reason) =>
    reason === 'missing_token'
      ? 'There is neither the header X-Service-Token nor the parameter svc_token.'
      : reason
        ? 'The token is unknown, revoked or expired, or its partner is suspended.'
        : isOfToken(request, context)
          ? 'The token is good.'
          : 'You are signed in, so that no token is looked at. The request itself needs one.',
  app: (request, _context, reason) =>
    reason ? 'There is neither an app nor d.' : `The request names ${placeName(request)}.`,
  c: named('c'),
  tid: named('tid'),
  value_length: tooLong,
  macros: macro,
  device_ids: deviceIds,
  ip,
  device,
  ua: named('ua'),
  click_time: time('click_time'),
  impression_time: time('impression_time'),
  vt_lookback: lookback,
  campaign,
  partner_enabled: switched(({ definition }) => (definition.kind === 'click' ? 'your clicks' : 'your impressions')),
  view_through: switched(() => 'view-through attribution for you'),
  ctv: switched((request) =>
    request.domain ? 'connected TV for you on any app' : `connected TV for you on ${placeName(request)}`,
  ),
  campaign_limit: (_request, _context, reason) =>
    reason ? 'The campaign is over its limit of requests just now.' : 'The campaign is below its limit of requests.',
};

/** What the check of that name found; undefined where there is nothing to add. */
export const buildFinding = (
  name: CheckName,
  request: S2sRequest,
  context: Context,
  reason: Reason | undefined,
): string | undefined => FINDINGS[name](request, context, reason);
