/** Reads what is asked of the log, and what is to be sent, into legal values (docs/contract/postbacks.md). */
import type { PostbackTemplate } from '../configuration/postbacks/template';
import { validator } from '../lib/validate';
import { decodeCursor, isWhole } from '../lib/cursor';
import { checkDayRange, wrong } from '../lib/parameters';
import { choice, rowId, Type, type Static } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { addDays, FIRST_DAY, LAST_DAY, storableDay } from '../lib/time';
import { UUID_IN_ANY_CASE } from '../lib/uuid';
import { limitParameter, queryParameter, readAs, type QueryValues } from '../openapi/operation';
import type { EventPlace, LogSelection } from './queries';
import { FIRST_PLACE, type ReplayInput } from './replay';
import { KINDS, LIMITS, OUTCOMES, partnerTestSchema, REPLAY_DAYS, replaySchema, testSchema } from './schema';
import type { TestInput } from './testing';

/** In milliseconds: later than every attempt and event. */
const END_OF_TIME = Date.UTC(2149, 5, 7);

const startOfDay = (day: string) => Date.parse(`${storableDay(day)}T00:00:00Z`);
const endOfDay = (day: string) => Math.min(startOfDay(addDays(storableDay(day), 1)), END_OF_TIME);

const text = (maxLength: number) => Type.String({ maxLength });
const day = Type.String({ format: 'date' });

export const logParameters = [
  queryParameter('install_id', 'The install that was told of.', text(LIMITS.id)),
  queryParameter('tid', 'ID of the credited touch, as its partner sent it.', text(LIMITS.id)),
  queryParameter('postback_id', 'One message: all its attempts.', { ...text(LIMITS.id), format: 'uuid' }),
  queryParameter('display_id', 'Campaign that is credited.', text(LIMITS.code)),
  queryParameter('destination', 'Host, with the port where it has one.', text(LIMITS.host)),
  queryParameter('kind', 'To partners, or to the advertiser.', choice(KINDS, { type: 'string' })),
  queryParameter('event', '`install`, ..., or `event:<name>`.', text(LIMITS.event), 'install'),
  queryParameter('outcome', 'What came of the attempt.', choice(OUTCOMES, { type: 'string' })),
  queryParameter('from', 'First day of attempts, UTC.', day, '2026-03-01'),
  queryParameter('to', 'Last day, UTC.', day),
  limitParameter(LIMITS, 'Attempts on a page.'),
  readAs(queryParameter('before', '`next_before` of the page before.', Type.String()), (sent) =>
    sent === undefined
      ? { before_time: END_OF_TIME, before_id: FIRST_PLACE.subject, before_attempt: 0 }
      : readPlace(sent),
  ),
] as const;

/** By what the log of a project can be searched besides, and that of a partner. */
export const projectLogParameters = [
  queryParameter('partner_id', 'Partner that was told.', rowId),
  queryParameter('webhook_id', 'Webhook that was sent.', rowId),
] as const;
export const partnerLogParameters = [queryParameter('project_id', 'Project of the install.', rowId)] as const;

type LogFilters = Partial<QueryValues<typeof projectLogParameters> & QueryValues<typeof partnerLogParameters>>;

/** What of the log is asked for; whose it is, the route says. @throws ApiError 400 for a range of no day. */
export function toLogSelection(query: QueryValues<typeof logParameters> & LogFilters): LogSelection {
  const { from = FIRST_DAY, to = LAST_DAY } = query;
  checkDayRange({ from, to });
  return {
    project: query.project_id ?? 0,
    partner: query.partner_id ?? 0,
    webhook: query.webhook_id ?? 0,
    install_id: query.install_id ?? '',
    tid: query.tid ?? '',
    postback_ids: query.postback_id === undefined ? [] : [query.postback_id],
    campaigns: [],
    host: (query.destination ?? '').toLowerCase(),
    kind: query.kind ?? '',
    event: normaliseText(query.event ?? ''),
    outcome: query.outcome ?? '',
    since: startOfDay(from),
    until: endOfDay(to),
    ...query.before,
    limit: query.limit,
  };
}

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
  checkDayRange({ from, to }, REPLAY_DAYS);
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
