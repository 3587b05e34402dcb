/** Templates of postbacks: what is refused, and that what is rendered decodes back to its values. */
import fc from 'fast-check';
import { MACROS, SAMPLE_VALUES, type MacroValues } from '../../../src/configuration/postbacks/macros';
import { blankSecrets, render as renderWith } from '../../../src/configuration/postbacks/render';
import {
  listMacros,
  listSecretNames,
  validateTemplate,
  type PostbackTemplate,
} from '../../../src/configuration/postbacks/template';
import { anyCharacter } from '../../support/any-character';

const render = (one: PostbackTemplate, given: MacroValues) => renderWith(one, given, blankSecrets);
const URL_BASE = 'https://partner.example/postback';
const template = (more: Partial<PostbackTemplate> = {}): PostbackTemplate => ({
  method: 'POST',
  url: URL_BASE,
  headers: {},
  body: null,
  ...more,
});
const values = (more: Partial<MacroValues> = {}): MacroValues => ({ ...SAMPLE_VALUES, ...more });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('what a template may be', () => {
  test.each<[string, Partial<PostbackTemplate>]>([
    ['a GET', { method: 'GET', url: `${URL_BASE}?click={tid}&t={click_time_unix}` }],
    ['a macro in the path', { url: 'http://partner.example:8080/{c}/install' }],
    ['a query without a path', { url: 'https://partner.example?id={tid}' }],
    ['braces that are no macros', { body: '{"a": {"B": "{Tid} {}"}, "b": "{ tid }"}' }],
    ['all headers', { headers: { Authorization: 'Bearer {s2}', accept: '*/*', 'User-Agent': 'a', 'X-Api-Key': 'k' } }],
    ['an object', { body: { tid: '{tid}', list: ['{s2}', 1, null, true] } }],
    ['an array as text', { body: '[{amount}, "{currency}"]' }],
    ['a form that looks odd', { body: '{tid}={s2' }],
    ['a kind of JSON', { headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' }, body: '{amount}' }],
    ['an array within its depth', { body: `${'['.repeat(30)}${']'.repeat(30)}` }],
  ])('%s', (_, more) => expect(validateTemplate(template(more))).toBeUndefined());

  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  test.each<[string, Partial<PostbackTemplate>, string, string]>([
    [
      'another scheme',
      { url: 'ftp://partner.example' },
      'url',
      'must be an http or https URL without user and password',
    ],
    ['a user', { url: 'https://a@partner.example' }, 'url', 'must be an http or https URL without user and password'],
    ['a blank', { url: `${URL_BASE}?a= b` }, 'url', 'must be an http or https URL without user and password'],
    ['a fragment', { url: `${URL_BASE}#{tid}` }, 'url', 'must be without fragment and backslash'],
    ['a backslash', { url: 'https://partner.example\\a' }, 'url', 'must be without fragment and backslash'],
    ['a macro as scheme', { url: '{c}://partner.example' }, 'url', 'scheme, host and port must be without macros'],
    ['a macro in the host', { url: 'https://{c}.example' }, 'url', 'scheme, host and port must be without macros'],
    ['a macro as port', { url: 'https://a.example:{c}/' }, 'url', 'scheme, host and port must be without macros'],
    ['nothing but a macro', { url: '{tid}' }, 'url', 'scheme, host and port must be without macros'],
    ['a long URL', { url: `${URL_BASE}?${'a'.repeat(4096)}` }, 'url', 'must have at most 4096 characters'],
    ['an unknown macro', { url: `${URL_BASE}?a={tidd}` }, 'url', 'there is no macro {tidd}'],
    ['a long unknown macro', { body: `{${'a'.repeat(99)}}` }, 'body', `there is no macro {${'a'.repeat(64)}}`],
    ['one in a header', { headers: { 'X-A': '{nope}' } }, 'headers.X-A', 'there is no macro {nope}'],
    ['one in an object', { body: { a: [{ b: '{nope}' }] } }, 'body.a[0].b', 'there is no macro {nope}'],
    ['one in JSON', { headers: JSON_TYPE, body: '{"a": {nope}}' }, 'body', 'there is no macro {nope}'],
    ['a macro as a name', { body: { '{tid}': 1 } }, 'body', 'a name must be without macros'],
    ['a body of a GET', { method: 'GET', body: 'a={tid}' }, 'body', 'a GET has none'],
    ['a large body', { body: 'ä'.repeat(8193) }, 'body', 'must have at most 16384 bytes'],
    ['a deep text', { body: deep }, 'body', 'is nested too deeply'],
    ['a deep object', { body: JSON.parse(deep) as object }, 'body', 'is nested too deeply'],
    ['JSON that is none', { headers: JSON_TYPE, body: '{"a": }' }, 'body', 'must be JSON once its macros are replaced'],
    ['half a number', { headers: JSON_TYPE, body: '[1{amount}]' }, 'body', 'must be JSON once its macros are replaced'],
    [
      'half an escape',
      { headers: JSON_TYPE, body: '["\\u00{c}"]' },
      'body',
      'must be JSON once its macros are replaced',
    ],
    ['an object as a form', { headers: FORM_TYPE, body: {} }, 'body', 'an object cannot be sent as a form'],
    [
      'another type',
      { headers: { 'Content-Type': 'text/xml' } },
      'headers.Content-Type',
      'must be application/json or application/x-www-form-urlencoded',
    ],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'headers', 'a header is there twice'],
    [
      '21 headers',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, '1'])) },
      'headers',
      'must be at most 20',
    ],
    ['an empty value', { headers: { 'X-A': '' } }, 'headers.X-A', 'must have 1 to 1024 printable ASCII characters'],
    ['a line break', { headers: { 'X-A': 'a\r\nb' } }, 'headers.X-A', 'must have 1 to 1024 printable ASCII characters'],
  ])('not %s', (_, more, field, message) => expect(validateTemplate(template(more))).toEqual({ field, message }));

  test.each(['Host', 'Cookie', 'Connection', 'Transfer-Encoding', 'X-Forwarded-For', 'x-real-ip', 'X-', 'X-A b', ''])(
    'nor the header "%s"',
    (name) => {
      const problem = validateTemplate(template({ headers: { [name]: '1' } }));
      expect(problem?.field).toBe('headers');
      expect(problem?.message).toContain('is none of Authorization');
    },
  );
});

describe('what is rendered', () => {
  const odd = values({ tid: 'a&b="ü"\n', amount: '12.50', s2: '', s3: '007', s4: '..' });
  const body = (text: PostbackTemplate['body'], headers = {}) => render(template({ body: text, headers }), odd).body;

  test.each<[string, string, string]>([
    ['a query', '?t={tid}&s={s2}&u={is_reinstall}', `${URL_BASE}?t=a%26b%3D%22%C3%BC%22%0A&s=&u=false`],
    ['a path', '/{tid}/end', `${URL_BASE}/a%26b%3D%22%C3%BC%22%0A/end`],
    ['dots in a path', '/{s4}/end?s={s4}', `${URL_BASE}/%252E%252E/end?s=..`],
    ['no braces', '?a={A}', `${URL_BASE}?a={A}`],
  ])('%s', (_, end, url) => {
    const { headers, body: none, ...rest } = render(template({ method: 'GET', url: URL_BASE + end }), odd);
    expect([rest, headers, none]).toEqual([{ method: 'GET', url }, {}, null]);
  });

  test.each<[string, PostbackTemplate['body'], string]>([
    ['a form', 't={tid}&a={amount}', 't=a%26b%3D%22%C3%BC%22%0A&a=12.50'],
    ['text in JSON', '{"t": "x {tid}", "n": "{s3}"}', '{"t": "x a&b=\\"ü\\"\\n", "n": "007"}'],
    ['values in JSON', '[{amount}, {s2}, {s3}, {is_reinstall}]', '[12.50, null, "007", false]'],
    ['quotes in JSON', '["\\"{s3}\\"", {s3}]', '["\\"007\\"", "007"]'],
    ['an object', { t: '{tid}', a: ['{amount}'], n: 1 }, '{"t":"a&b=\\"ü\\"\\n","a":["12.50"],"n":1}'],
  ])('%s', (_, given, expected) => expect(body(given)).toBe(expected));

  test('the header decides over the look of a body, and is told where there is none', () => {
    expect(body('[{s2}]', FORM_TYPE)).toBe('[]');
    const readType = (one: PostbackTemplate['body'], headers = {}) =>
      render(template({ body: one, headers }), odd).headers;
    expect(readType('[{s2}]')).toEqual(JSON_TYPE);
    expect(readType({})).toEqual(JSON_TYPE);
    expect(readType('a={s2}')).toEqual(FORM_TYPE);
    expect(readType('a={s2}', { 'content-type': FORM_TYPE['Content-Type'] })).toEqual({
      'content-type': FORM_TYPE['Content-Type'],
    });
    expect(readType(null)).toEqual({});
  });

  test('a header stays one line of printable ASCII', () => {
    const { headers } = render(template({ headers: { 'X-A': 'a {tid}' } }), values({ tid: 'é\r\nHost: x 100%' }));
    expect(headers).toEqual({ 'X-A': 'a %C3%A9%0D%0AHost: x 100%' });
  });

  test('every macro has a sample', () => {
    expect(Object.keys(SAMPLE_VALUES).sort()).toEqual([...MACROS].sort());
    expect(new Set(MACROS).size).toBe(MACROS.length);
  });
});

describe('whatever the values are, they come back', () => {
  const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
  const anyValue = fc.oneof(
    anyText,
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('', '.', '"', '\\', '{tid}', '%41'),
  );
  const anyValues = fc.record(Object.fromEntries(MACROS.map((name) => [name, anyValue]))) as fc.Arbitrary<MacroValues>;
  const holds = (check: (given: MacroValues) => void) => fc.assert(fc.property(anyValues, check));
  const expected = (given: MacroValues) => MACROS.map((name) => [name, given[name].toWellFormed()]);
  const pairs = MACROS.map((name) => `${name}={${name}}`).join('&');

  test('from a URL', () =>
    holds((given) => {
      const { url } = render(template({ url: `${URL_BASE}?${pairs}` }), given);
      expect([...new URL(url).searchParams]).toEqual(expected(given));
    }));

  test('from a path, but for dots alone', () =>
    holds((given) => {
      const { url } = render(
        template({ url: `https://partner.example/${MACROS.map((n) => `a{${n}}`).join('/')}` }),
        given,
      );
      const parts = new URL(url).pathname.split('/').slice(1);
      expect(parts.map((part) => decodeURIComponent(part))).toEqual(expected(given).map(([, value]) => `a${value}`));
    }));

  test('from a form', () =>
    holds((given) => {
      const { body } = render(template({ body: pairs }), given);
      expect([...new URLSearchParams(body ?? '')]).toEqual(expected(given));
    }));

  test('from JSON, text and object', () =>
    holds((given) => {
      const object = Object.fromEntries(MACROS.map((name) => [name, `{${name}}`]));
      for (const one of [object, JSON.stringify(object)]) {
        const { body } = render(template({ body: one }), given);
        expect(Object.entries(JSON.parse(body ?? '') as object)).toEqual(expected(given));
      }
    }));

  test('from JSON without quotes', () =>
    holds((given) => {
      const { body } = render(template({ body: `[${MACROS.map((name) => `{${name}}`).join()}]` }), given);
      for (const [i, one] of (JSON.parse(body ?? '') as unknown[]).entries()) {
        const [, value] = expected(given)[i] as [string, string];
        if (typeof one === 'number') expect(one).toBe(Number(value));
        else expect(one ?? '').toBe(value);
      }
    }));

  test('and headers are never split', () =>
    holds((given) => {
      const headers = Object.fromEntries(MACROS.slice(0, 20).map((name, i) => [`X-${i}`, `{${name}}`]));
      for (const value of Object.values(render(template({ headers }), given).headers))
        expect(value).toMatch(/^[\x20-\x7e]*$/);
    }));
});

describe('secrets of a template', () => {
  const url = `${URL_BASE}/{secret:path}?k={secret:key}&t={tid}`;
  const whole = template({
    url,
    headers: { 'X-Key': 'Bearer {secret:key}' },
    body: '[{secret:number}, "{secret:key}"]',
  });

  test('are there, or it is refused by their name; never in the host', () => {
    const known = new Set(['path', 'key', 'number']);
    expect(validateTemplate(whole, known)).toBeUndefined();
    expect(validateTemplate(whole, new Set(['path']))).toEqual({
      field: 'url',
      message: 'there is no secret {secret:key}',
    });
    expect(validateTemplate(template({ url: 'https://{secret:key}.example' }), known)).toEqual({
      field: 'url',
      message: 'scheme, host and port must be without macros',
    });
  });

  test('are sent, blank where the request is shown, and not among the names of its macros', () => {
    const secrets: Record<string, string> = { path: 'a/b', key: 'k"&', number: '7' };
    expect(renderWith(whole, values(), (name) => secrets[name] ?? '')).toMatchObject({
      url: `${URL_BASE}/a%2Fb?k=k%22%26&t=click-1`,
      headers: { 'X-Key': 'Bearer k"&' },
      body: '[7, "k\\"&"]',
    });
    expect(render(whole, values())).toMatchObject({
      url: `${URL_BASE}/***?k=***&t=click-1`,
      headers: { 'X-Key': 'Bearer ***' },
      body: '["***", "***"]',
    });
    expect([listMacros(whole), listSecretNames(whole)]).toEqual([['tid'], ['path', 'key', 'number']]);
  });
});
