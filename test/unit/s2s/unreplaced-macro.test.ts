/** Which values still have a macro of an ad server (docs/contract/s2s.md). */
import { parseQueryString } from '../../../src/lib/query-string';
import { hasUnreplacedMacro } from '../../../src/lib/unreplaced-macro';

test.each([
  '{clickid}',
  '{{clickid}}',
  '${CLICK_ID}',
  '#{click}',
  'before{a.b-c_D9}after',
  '%7Bclickid%7D',
  '%7bclickid}',
  `{${'m'.repeat(64)}}`,
  '__CLICKID__',
  '__callback_param__',
  '__X__Y__',
  '[CLICK_ID]',
  '[cid]',
  '%%CLICK%%',
  '%%PATTERN.url-1%%',
  '<CLICK>',
  '<Sub1>',
  '$CLICK$',
  '$c$',
])('%s has one', (value) => expect(hasUnreplacedMacro(value)).toBe(true));

// A decoder takes the first letters of some names for a byte.
test.each(['%%CLICK%%', '%%AD_ID%%', '%%cachebuster%%', '%%DEVICE_ID%%', '%%C1%%', '%%FF%%', '%25%25AD_ID%25%25'])(
  '%s in an address has one',
  (text) => expect(hasUnreplacedMacro(parseQueryString(`tid=${text}`).get('tid') as string)).toBe(true),
);

test.each([
  '',
  'click-1',
  '{}',
  '{a b}',
  '{é}',
  `{${'m'.repeat(65)}}`,
  '{a',
  '__init',
  '____',
  '__1__',
  '__é__',
  'x__CLICK__',
  '__CLICK__ ',
  '_CLICK_',
  '[]',
  '[1]',
  '[LinkedInApp]/9.29',
  'a[CLICK]',
  '%CLICK%',
  '%%1%%',
  '100%%',
  '%\uFFFD\uFFFD%%',
  '<>',
  '</a>',
  '<a b>',
  '$5$',
  '$$',
  '$CLICK',
  'US$',
])('%j has none', (value) => expect(hasUnreplacedMacro(value)).toBe(false));

test.each(['__', '_', '{', '{a', '[', '$', '%%', '<', '%\uFFFD', '{'.padEnd(66, 'm')])(
  'a million of %j are walked through once',
  (unit) => expect(hasUnreplacedMacro(unit.repeat(1_000_000 / unit.length))).toBe(false),
);
