/**
 * Build step: refuses columns that the register of personal data does not know, and puts beside the compiled files what
 * they read at run time and tsc does not write: countries of addresses, lists, and the browser script minified, with
 * the lists that it shares with the collector.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { untaggedColumns } from '../db/personal-data-ddl';
import { writeCountryRanges } from './country-ranges';

const sources = path.join(__dirname, '..', '..', 'src');

async function buildAssets(): Promise<void> {
  const untagged = untaggedColumns();
  if (untagged.length > 0)
    throw new Error(
      `Say in the comment of ${untagged.join(', ')} what it is: [personal], [pseudonymous] or [none], at its end`,
    );
  writeCountryRanges(path.join(__dirname, '..', 'net', 'country-ranges.bin'));
  for (const list of ['sources.csv', 'excluded-referrers.csv'])
    copyFileSync(path.join(sources, 'web-channels', list), path.join(__dirname, '..', 'web-channels', list));
  // They read the lists as they are loaded.
  const { CLICK_ID_PARAMETERS } = await import('../web-channels/click-ids.js');
  const { EXCLUDED_REFERRERS } = await import('../web-channels/excluded-referrers.js');
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
