/** The macros of ad networks and trackers: each in a parameter that is read, and told where it was not replaced. */
import { MACROS } from '../../../src/configuration/postbacks/macros';
import { hasUnreplacedMacro } from '../../../src/lib/unreplaced-macro';
import { findMacro, listTemplates, readTemplate } from '../../../src/s2s/macro-templates';
import { listParameters } from '../../../src/s2s/parameters';

const templates = listTemplates().map((id) => readTemplate(id));
/** A hash begins the fragment of a URL: such a token never arrives. */
const arrives = (macro: string) => !macro.startsWith('#');

test.each(templates.map((one) => [one.name, one] as const))(
  '%s',
  (_, { click, impression, link, postback, source }) => {
    expect(click ?? impression ?? link).toBeDefined();
    expect(source).toMatch(/^https?:\/\//);
    for (const [kind, macros] of Object.entries({ click, impression })) {
      const known = listParameters(kind as 'click' | 'impression') as string[];
      expect(Object.keys(macros ?? {}).filter((name) => !known.includes(name))).toEqual([]);
      // Without an ID of the touch, and something to match by, nothing would be accepted.
      if (macros) expect([macros.tid, macros.gaid ?? macros.ip].includes(undefined)).toBe(false);
    }
    for (const macro of [click, impression, link].flatMap((part) => Object.values(part ?? {})).filter(arrives)) {
      expect([macro, hasUnreplacedMacro(macro)]).toEqual([macro, true]);
      expect(findMacro(`x-${macro}`)?.macro).toBe(macro);
    }
    for (const [, name = ''] of (postback ?? '').matchAll(/\{(\w+)\}/g))
      expect(MACROS as readonly string[]).toContain(name);
  },
);

test('the longest macro that a value may hold is told, with everybody who writes it', () => {
  expect(findMacro('{{ad.id}}')?.names).toEqual(['Meta', 'Snapchat']);
  expect(findMacro('__GAID__')?.names).toEqual(['TikTok']);
  expect(findMacro('{click_id}')?.names).toEqual(expect.arrayContaining(['Mintegral', 'Trackier']));
  expect(findMacro('{nobody_writes_this}')).toBeUndefined();
});
