/**
 * Build step: refuses columns that the register of personal data does not know, and puts beside the compiled files what
 * they read at run time and tsc does not write: countries of addresses, and the browser script minified.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { untaggedColumns } from './db/personal-data-ddl';
import { writeCountryRanges } from './net/build-country-ranges';

const sources = path.join(__dirname, '..', 'src');

async function buildAssets(): Promise<void> {
  const untagged = untaggedColumns();
  if (untagged.length > 0)
    throw new Error(
      `Say in the comment of ${untagged.join(', ')} what it is: [personal], [pseudonymous] or [none], at its end`,
    );
  writeCountryRanges(path.join(__dirname, 'net', 'country-ranges.bin'));
  copyFileSync(path.join(sources, 'web-channels', 'sources.csv'), path.join(__dirname, 'web-channels', 'sources.csv'));
  // An ES module, and needed by the build alone.
  const { minify } = await import('terser');
  const { code = '' } = await minify(readFileSync(path.join(sources, 'browser', 'adtrail.js'), 'utf8'), {
    ecma: 2019,
    compress: { passes: 2 },
    format: { comments: false },
  });
  mkdirSync(path.join(__dirname, 'browser'), { recursive: true });
  writeFileSync(path.join(__dirname, 'browser', 'adtrail.js'), code);
}

void buildAssets();
