/**
 * Build step: refuses tables and columns of which nobody has said what they are, and puts beside the compiled files
 * what they read at run time and tsc does not write: countries of addresses, lists, and the browser script minified,
 * with the lists that it shares with the collector. Tests read the OpenAPI document there.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findGaps } from '../tables/check';
import { readDdlColumns } from '../tables/ddl';
import { writeCountryRanges } from './country-ranges';

const sources = path.join(__dirname, '..', '..', 'src');

async function buildAssets(): Promise<void> {
  const gaps = findGaps(readDdlColumns());
  if (gaps.length > 0) throw new Error(gaps.join('\n'));
  writeCountryRanges(path.join(__dirname, '..', 'net', 'country-ranges.bin'));
  for (const list of ['sources.csv', 'excluded-referrers.csv'])
    copyFileSync(path.join(sources, 'web-channels', list), path.join(__dirname, '..', 'web-channels', list));
  // They read the lists as they are loaded.
  const { CLICK_ID_PARAMETERS } = await import('../web-channels/click-ids.js');
  const { EXCLUDED_REFERRERS } = await import('../web-channels/excluded-referrers.js');
  const { readApiReference } = await import('../wiring/api-reference.js');
  writeFileSync(path.join(__dirname, '..', 'openapi.json'), JSON.stringify(readApiReference()));
  // An ES module, and needed by the build alone.
  const { minify } = await import('terser');
  const { code = '' } = await minify(readFileSync(path.join(sources, 'browser', 'adtrail.js'), 'utf8'), {
    ecma: 2019,
    compress: {
      passes: 2,
      global_defs: {
        // All that end in `clid` count.
        CLICK_ID_PARAMETERS: CLICK_ID_PARAMETERS.filter((name) => !name.endsWith('clid')).join('|'),
        EXCLUDED_REFERRERS: EXCLUDED_REFERRERS.join(' '),
      },
    },
    format: { comments: false },
  });
  mkdirSync(path.join(__dirname, '..', 'browser'), { recursive: true });
  writeFileSync(path.join(__dirname, '..', 'browser', 'adtrail.js'), code);
}

void buildAssets();
