/**
 * What the S2S endpoints must answer, written down a second time from docs/contract/s2s.md and independently of
 * src/s2s: a table of rules.
 */
import { NAMES } from './s2s-cases';
import type { Endpoint } from './s2s-client';

/** A request as its sender means it: pairs in the order in which they are sent, decoded. */
export interface ModelRequest {
  readonly endpoint: Endpoint;
  readonly pathApp: string;
  readonly header: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** What of the workspace the model knows. */
export interface ModelWorld {
  readonly now: number;
  /** Token to partner. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly projects: readonly ModelProject[];
  /** Addresses among those that are sent that belong to a data centre. */
  readonly datacenters: ReadonlySet<string>;
  /** Addresses among those that are sent that are public. */
  readonly publicIps: ReadonlySet<string>;
}

interface ModelSwitches {
  readonly clicks?: boolean;
  readonly traffic?: boolean;
  readonly view?: boolean;
  readonly ctv?: readonly string[];
}

export interface ModelProject {
  readonly name: string;
  readonly apps: readonly string[];
  readonly domains: readonly string[];
  readonly switches: Readonly<Record<string, ModelSwitches>>;
  readonly campaigns: readonly {
    readonly code: string;
    readonly partner: string | null;
    readonly active?: boolean;
    readonly domain?: string;
  }[];
}

export interface Verdict {
  readonly status: number;
  /** `accepted`, or why not. */
  readonly outcome: string;
}

const HEX = '0123456789abcdef';
/** 8-4-4-4-12 hexadecimal digits, checked without a regular expression. */
function isUuid(text: string): boolean {
  const groups = text.split('-');
  return (
    groups.map((group) => group.length).join() === '8,4,4,4,12' &&
    [...groups.join('').toLowerCase()].every((digit) => HEX.includes(digit))
  );
}
const isZero = (uuid: string) => [...uuid].every((digit) => digit === '0' || digit === '-');
const allDigits = (text: string) => text !== '' && [...text].every((digit) => '0123456789'.includes(digit));

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const isMadeFrom = (text: string, legal: string) => [...text].every((c) => legal.includes(c.toLowerCase()));

/** A whole value that is a name between the marks of an ad server. */
function isMarkedName(text: string): boolean {
  // `%AD` of `%%ADID%%` is decoded, to what is no UTF-8.
  if (text.startsWith('%\uFFFD') && text.length >= 4 && text.endsWith('%%'))
    return isMadeFrom(text.slice(2, -2), `${LETTERS}0123456789_.-`);
  const marks = [
    ['__', '__'],
    ['[', ']'],
    ['%%', '%%'],
    ['<', '>'],
    ['$', '$'],
  ] as const;
  return marks.some(([before, after]) => {
    if (!text.startsWith(before) || !text.endsWith(after) || text.length <= before.length + after.length) return false;
    const name = text.slice(before.length, -after.length);
    return isMadeFrom(name.slice(0, 1), LETTERS) && isMadeFrom(name, `${LETTERS}0123456789_.-`);
  });
}

/** A marked name, or a brace, 1 to 64 name characters, a brace: found by walking, not by searching. */
function hasMacro(text: string): boolean {
  if (isMarkedName(text)) return true;
  const plain = text.replaceAll(/%7b/gi, '{').replaceAll(/%7d/gi, '}');
  for (let open = plain.indexOf('{'); open !== -1; open = plain.indexOf('{', open + 1)) {
    const close = plain.indexOf('}', open);
    const name = close === -1 ? '' : plain.slice(open + 1, close);
    if (name.length >= 1 && name.length <= 64 && isMadeFrom(name, `${LETTERS}0123456789_.-`)) return true;
  }
  return false;
}

const sameApp = (a: string, b: string) => (allDigits(a) ? `id${a}` : a) === (allDigits(b) ? `id${b}` : b);

/** Answers the first rule, top to bottom, that holds. */
export function answerOfModel(request: ModelRequest, world: ModelWorld): Verdict {
  const { endpoint, pathApp, header, pairs } = request;
  const first = new Map<string, string>();
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value);
  const sent = (name: string) => first.get(name) ?? '';
  const read = (name: string) => [name, ...(NAMES[endpoint][name] ?? [])].map(sent).find((value) => value !== '') ?? '';

  const token = header || sent('svc_token');
  const partner = world.tokens.get(token);
  const domain = sent('d');
  const app = domain ? '' : sent('app_id') || pathApp;
  const values = [...first.values(), ...(sent('app_id') ? [] : [pathApp])];
  const readValues = [...Object.keys(NAMES[endpoint]).map(read), app, domain];

  const gaid = endpoint === 'ctv' ? '' : read('gaid');
  const idfa = endpoint === 'ctv' ? '' : read('idfa');
  const device = [gaid, idfa].some((id) => id !== '' && !isZero(id));
  const ip = read('ip');
  const publicIp = world.publicIps.has(ip);
  const time = read(endpoint === 'click' ? 'click_time' : 'impression_time');
  const isTime = allDigits(time) && (time.length === 10 || time.length === 13);
  const age = world.now - Number(time) * (time.length === 10 ? 1000 : 1);
  const window = endpoint === 'click' ? '' : read('vt_lookback');
  const amount = /[hd]$/.test(window) ? window.slice(0, -1) : window;

  const named = world.projects.filter((project) =>
    domain ? project.domains.includes(domain.toLowerCase()) : project.apps.some((one) => sameApp(one, app)),
  );
  const having = named.filter((project) =>
    project.campaigns.some(
      (one) =>
        one.code === read('c') &&
        one.partner === partner &&
        one.active !== false &&
        (!domain || !one.domain || one.domain === domain.toLowerCase()),
    ),
  );
  const readSwitches = (project: ModelProject | undefined) => project?.switches[partner ?? ''] ?? {};
  const on = having.filter((project) =>
    endpoint === 'click' ? readSwitches(project).clicks : readSwitches(project).traffic,
  );
  const switches = readSwitches(on[0]);
  const ctv = switches.ctv ?? [];

  const rules: readonly (readonly [outcome: string, status: number, applies: boolean])[] = [
    ['missing_token', 401, token === ''],
    ['invalid_token', 401, partner === undefined],
    ['missing_app', 400, app === '' && domain === ''],
    ['missing_c', 400, read('c') === ''],
    ['missing_tid', 400, read('tid') === ''],
    ['value_too_long', 400, values.some((value) => Array.from(value).length > 256)],
    ['unreplaced_macro', 400, readValues.some(hasMacro)],
    ['invalid_device_id', 400, [gaid, idfa].some((id) => id !== '' && !isUuid(id))],
    ['missing_device_id', 400, endpoint !== 'ctv' && !device && !(endpoint === 'click' && publicIp)],
    ['missing_ip', 400, endpoint === 'ctv' && ip === ''],
    ['invalid_ip', 400, endpoint === 'ctv' && !publicIp],
    ['datacenter_ip', 400, endpoint === 'ctv' && world.datacenters.has(ip)],
    ['missing_ua', 400, endpoint === 'ctv' && read('ua') === ''],
    [endpoint === 'click' ? 'invalid_click_time' : 'invalid_impression_time', 400, time !== '' && !isTime],
    [endpoint === 'click' ? 'click_too_old' : 'impression_too_old', 400, time !== '' && age > 86_400_000],
    ['invalid_viewthrough_lookback', 400, window !== '' && !(allDigits(amount) && Number(amount) > 0)],
    [domain ? 'unknown_domain' : 'unknown_app', 400, named.length === 0],
    ['unknown_campaign', 400, having.length === 0],
    ['ambiguous_app', 400, on.length > 1],
    ['partner_not_enabled', 403, on.length === 0],
    ['view_through_disabled', 403, endpoint !== 'click' && !switches.view],
    ['ctv_not_enabled', 403, endpoint === 'ctv' && !(domain ? ctv.length > 0 : ctv.some((one) => sameApp(one, app)))],
  ];
  const [outcome = 'accepted', status = 200] = rules.find(([, , applies]) => applies) ?? [];
  return { outcome, status };
}
