/**
 * What people paste: files made from a good one by the ways of spreadsheets, networks and people. Each is stored
 * exactly or refused by name, and never stored otherwise (docs/contract/collectors.md).
 */
import { decodeText, UnknownCharset, WrongBytes } from '../../../src/lib/charset';
import { readRows, readSpendFile } from '../../../src/collect/spend-input';
import { ApiError } from '../../../src/errors';
import { rounds } from '../../support/soak';
import { makeSpendFile, readRandom, readTruth } from '../../support/collect/spend-files';

const SEED = Number(process.env.SEED ?? 20_260_301);
const FILES = rounds(400, 4_000);

test(`${FILES} files, seed ${SEED}`, async () => {
  const counts = { stored: 0, refused: 0, files: 0, clean: 0 };
  for (let i = 0; i < FILES; i++) {
    const file = makeSpendFile(readRandom(SEED + i));
    const told = { seed: SEED + i, ways: file.ways, text: file.text };
    try {
      const { rows, read } = await readSpendFile(await decodeText(file.bytes, file.charset ?? 'utf-8'));
      const { good, rejected } = await readRows(rows, read);
      // Without a network the ID would have to be one of the project's display_ids, which none of these is.
      const known = good.filter(({ value }) => value.network !== '');
      const found = known.map(({ value: { names, ids, ...row } }) => ({ ...row, ...names, ...ids }));
      const truths = new Map(file.rows.map((row) => [readTruth(row).campaignId, readTruth(row)]));
      expect({ ...told, found }).toEqual({ ...told, found: found.map(({ campaignId }) => truths.get(campaignId)) });
      expect({ ...told, twice: new Set(found.map(({ campaignId }) => campaignId)).size }).toEqual({
        ...told,
        twice: found.length,
      });
      if (file.count !== undefined)
        expect({ ...told, told: good.length + rejected.length }).toEqual({ ...told, told: file.count });
      if (file.isClean) {
        counts.clean += 1;
        expect({ ...told, rejected, found: found.length }).toEqual({ ...told, rejected: [], found: file.rows.length });
      }
      counts.stored += known.length;
      counts.refused += rejected.length;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof WrongBytes || error instanceof UnknownCharset)) throw error;
      expect({ ...told, isClean: file.isClean, message: error.message }).toEqual({
        ...told,
        isClean: false,
        message: expect.stringMatching(/\S/) as string,
      });
      counts.files += 1;
    }
  }
  // The ways lead everywhere.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(FILES / 20);
}, 180_000);
