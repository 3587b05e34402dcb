/** Reads what is asked of the log, and what is to be sent, into legal values (docs/contract/postbacks.md). */
import type { PostbackTemplate } from '../configuration/postbacks/template';
import { validator } from '../lib/validate';
import { decodeCursor, isWhole } from '../lib/cursor';
import { readChoice, readDay, readText, readWholeNumber, wrong } from '../lib/parameters';
import type { Static } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { addDays, daysInRange, FIRST_DAY, LAST_DAY, storableDay } from '../lib/time';
import { UUID_IN_ANY_CASE } from '../lib/uuid';
import type { EventPlace, LogSelection } from './queries';
import { FIRST_PLACE, type ReplayInput } from './replay';
import { ID, KINDS, LIMITS, OUTCOMES, partnerTestSchema, REPLAY_DAYS, replaySchema, testSchema } from './schema';
import type { TestInput } from './testing';

/** In milliseconds: later than every attempt and event. */
const END_OF_TIME = Date.UTC(2149, 5, 7);

const startOfDay = (day: string) => Date.parse(`${storableDay(day)}T00:00:00Z`);
const endOfDay = (day: string) => Math.min(startOfDay(addDays(storableDay(day), 1)), END_OF_TIME);

/**
 * What of the log is asked for; whose it is, the route says. `filter` is by what it can be searched besides: by partner
 * and webhook where it is that of a project, by project where it is that of a partner.
 *
 * @throws ApiError 400 that names the parameter and the rule.
 */
export function readLogInput(query: URLSearchParams, filter: 'partner' | 'project'): LogSelection {
  const from = readDay(query, 'from') ?? FIRST_DAY;
  const to = readDay(query, 'to') ?? LAST_DAY;
  if (from > to) throw wrong('from', 'must not be after to');
  const postbackId = readText(query, 'postback_id', LIMITS.id);
  if (postbackId !== undefined && !UUID_IN_ANY_CASE.test(postbackId)) throw wrong('postback_id', 'must be a UUID');
  const before = query.get('before');
  const id = (name: string) => readWholeNumber(query, name, ID) ?? 0;
  return {
    project: filter === 'project' ? id('project_id') : 0,
    partner: filter === 'partner' ? id('partner_id') : 0,
    webhook: filter === 'partner' ? id('webhook_id') : 0,
    install_id: readText(query, 'install_id', LIMITS.id) ?? '',
    tid: readText(query, 'tid', LIMITS.id) ?? '',
    postback_ids: postbackId === undefined ? [] : [postbackId],
    campaigns: [],
    host: (readText(query, 'destination', LIMITS.host) ?? '').toLowerCase(),
    kind: readChoice(query, 'kind', KINDS) ?? '',
    event: normaliseText(readText(query, 'event', LIMITS.event) ?? ''),
    outcome: readChoice(query, 'outcome', OUTCOMES) ?? '',
    since: startOfDay(from),
    until: endOfDay(to),
    ...(before ? readPlace(before) : { before_time: END_OF_TIME, before_id: FIRST_PLACE.subject, before_attempt: 0 }),
    limit: readWholeNumber(query, 'limit', { min: 1, max: LIMITS.maximum }) ?? LIMITS.default,
  };
}

/** The display ID of the campaigns that are asked for; empty for all. */
export const readCampaignCode = (query: URLSearchParams): string => readText(query, 'display_id', LIMITS.code) ?? '';

function readPlace(value: string): Pick<LogSelection, 'before_time' | 'before_id' | 'before_attempt'> {
  const [time, id, attempt] = decodeCursor(value);
  if (!isTime(time) || !isUuid(id) || !isWhole(attempt, 0xffff))
    throw wrong('before', 'must be a next_before of this list');
  return { before_time: time, before_id: id, before_attempt: attempt };
}

function readEventPlace(value: string): EventPlace {
  const [kind, time, subject] = decodeCursor(value);
  if (!isWhole(kind, 1) || !isTime(time) || !isUuid(subject)) throw wrong('after', 'must be the next of a replay');
  return { kind, time, subject };
}

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID_IN_ANY_CASE.test(value);
const isTime = (value: unknown): value is number => isWhole(value, END_OF_TIME);

const parseReplay = validator(replaySchema);
const parseTest = validator(testSchema);
const parsePartnerTest = validator(partnerTestSchema);

/** @throws ApiError 400 that names the field and the rule. */
export function readReplayInput(body: unknown): ReplayInput {
  const given = parseReplay(body);
  const { postback_id, event, outcome, install_id, partner_id, webhook_id, dry_run = true, after } = given;
  if (partner_id !== undefined && webhook_id !== undefined)
    throw wrong('webhook_id', 'must not be there together with partner_id');
  const selection = {
    ...(postback_id === undefined ? readDays(given) : { from: 0, to: END_OF_TIME }),
    installs: install_id === undefined ? [] : [install_id],
    events: event === undefined || event === '*' ? [] : [event],
    postbackIds: postback_id === undefined ? [] : [postback_id],
    outcomes: outcome === undefined ? [] : [outcome],
  };
  const place = after === undefined ? FIRST_PLACE : readEventPlace(after);
  return { selection, partner: partner_id, webhook: webhook_id, after: place, dryRun: dry_run };
}

/** Days of receipt, UTC, both included. */
function readDays({ from, to }: Static<typeof replaySchema>): { from: number; to: number } {
  if (from === undefined || to === undefined) throw wrong('body', '"postback_id", or "from" and "to", are required');
  if (from > to) throw wrong('from', 'must not be after to');
  if (daysInRange(from, to) > REPLAY_DAYS)
    throw wrong('to', `the range must have at most ${REPLAY_DAYS} days, both included`);
  return { from: startOfDay(from), to: endOfDay(to) };
}

/** @throws ApiError 400 that names the field and the rule. */
export function readTestInput(body: unknown): TestInput {
  const { template, webhook_id, withhold = [], event, install_id = '', dry_run: dryRun = false } = parseTest(body);
  if ((template === undefined) === (webhook_id === undefined))
    throw wrong('body', 'either "template" or "webhook_id" is required');
  const values = { dryRun, withhold, event: toldAs(event), installId: install_id };
  return template
    ? { ...values, template: completeTemplate(template) }
    : { ...values, webhookId: webhook_id as number };
}

/** @throws ApiError 400 that names the field and the rule. */
export function readPartnerTestInput(body: unknown): TestInput {
  const { template, event, dry_run: dryRun = false } = parsePartnerTest(body);
  return { dryRun, withhold: [], event: toldAs(event), installId: '', template: completeTemplate(template) };
}

/** The event to look for; empty where any will do. */
const toldAs = (event: string | undefined) => (event === undefined || event === '*' ? '' : event);

function completeTemplate(template: Static<typeof partnerTestSchema>['template']): PostbackTemplate {
  return { headers: {}, body: null, ...template };
}
