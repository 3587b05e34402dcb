/** What a message looks like on the wire: a postback by its template, a webhook by Standard Webhooks 1.0. */
import { Webhook } from 'standardwebhooks';
import { MACROS, type MacroName, type MacroValues } from '../configuration/postbacks/macros';
import { openHeaders } from '../configuration/postbacks/headers';
import { blankSecrets, render } from '../configuration/postbacks/render';
import { listMacros, type TemplateBody } from '../configuration/postbacks/template';
import type { Seals } from '../lib/seal';
import type { EventMacros, Message } from './queries';
import type { Letter } from './sender';

const USER_AGENT = 'adtrail';
/** What an advertiser may withhold. */
const WITHHELD: Readonly<Record<'amounts' | 'device_ids', readonly MacroName[]>> = {
  amounts: ['amount', 'currency', 'amount_usd'],
  device_ids: ['gaid', 'idfa'],
};
const TIMES = ['click_time', 'install_time', 'event_time'] as const;

/** What a letter is made from. */
export type LetterParts = Pick<
  Message,
  | 'postback_id'
  | 'webhook_id'
  | 'withhold'
  | 'event'
  | 'method'
  | 'url'
  | 'headers'
  | 'body'
  | 'secrets'
  | 'template_secrets'
>;

/** A letter, and what of it may be shown. */
export interface MadeLetter extends Letter {
  /** The same with blanks for secrets of the template. */
  readonly shown: Pick<Letter, 'url' | 'headers' | 'body'>;
  /** The names of the macros of the template. */
  readonly macros: readonly string[];
}

/**
 * The letter of a message about an event, sent at `now` (milliseconds).
 *
 * @throws Error where its destination cannot be told, SealError where a secret that it needs cannot be read.
 */
export function makeLetter(message: LetterParts, about: EventMacros, seals: Seals, now: number): MadeLetter {
  const values = fillMacros(message, about.macros);
  return message.webhook_id === null ? makePostback(message, values, seals) : makeWebhook(message, values, seals, now);
}

function makePostback(
  { method, url, headers, body, template_secrets: secrets }: LetterParts,
  values: MacroValues,
  seals: Seals,
): MadeLetter {
  const template = {
    method: method ?? 'GET',
    url: url ?? '',
    headers: openHeaders(seals.of('postback headers'), headers ?? {}),
    body: body as TemplateBody | null,
  };
  const { open } = seals.of('postback secrets');
  const openSecret = (name: string) => {
    const sealed = secrets?.[name];
    if (sealed === undefined) throw new Error(`there is no secret ${name}`);
    return open(sealed);
  };
  const whole = (letter: Letter) => ({
    ...letter,
    headers: { 'user-agent': USER_AGENT, ...lowerCased(letter.headers) },
  });
  const shown = whole(render(template, values, blankSecrets));
  return { ...whole(render(template, values, openSecret)), shown, macros: listMacros(template) };
}

/** Signed with each secret that is valid: during a rotation the receiver may know either. */
function makeWebhook(
  { postback_id: id, event, url, secrets }: LetterParts,
  values: MacroValues,
  seals: Seals,
  now: number,
): MadeLetter {
  const body = JSON.stringify({ type: event, timestamp: values.event_time, data: buildData(values) });
  const at = new Date(now);
  const { open } = seals.of('webhook secrets');
  const signatures = (secrets ?? []).map((secret) => new Webhook(open(secret)).sign(id, at, body));
  const letter: Letter = {
    method: 'POST',
    url: url ?? '',
    headers: {
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
  return { ...letter, shown: letter, macros: [] };
}

/** Every macro with its value; times in three forms. */
function fillMacros({ postback_id, withhold }: LetterParts, macros: Readonly<Record<string, string>>): MacroValues {
  const values = Object.fromEntries(MACROS.map((name) => [name, macros[name] ?? ''])) as Record<MacroName, string>;
  for (const name of TIMES) {
    const at = values[name] === '' ? undefined : Date.parse(values[name]);
    values[`${name}_ms`] = at === undefined ? '' : String(at);
    values[`${name}_unix`] = at === undefined ? '' : String(Math.floor(at / 1000));
  }
  for (const what of withhold) for (const name of WITHHELD[what]) values[name] = '';
  return { ...values, postback_id };
}

/** The data of a webhook: what is known, under the names of the macros; flags as such, and nothing twice. */
function buildData(values: MacroValues): Record<string, string | boolean> {
  const names = MACROS.filter((name) => values[name] !== '' && !/_(unix|ms)$/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, name.startsWith('is_') ? values[name] === 'true' : values[name]]),
  );
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
