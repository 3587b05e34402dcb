/** Links from a file of CSV: all of them are made, or none (docs/contract/tracking-links.md). */
import { Readable } from 'node:stream';
import { shortUrl } from '../configuration/campaign-url';
import { change } from '../configuration/change';
import { canonicalDomain } from '../lib/urls';
import { ApiError } from '../errors';
import { readTable, TableError, type TableRow } from '../ingest/csv-table';
import { validator } from '../lib/validate';
import { readCreateInput } from './input';
import { LINK_LIMITS, settingsSchema, type LinkSettings } from './link-schema';
import { insertLink, readRules, type LinkParts } from './link-service';
import type { Manager } from './service';
import { UTM_NAMES } from './utm';

/** Columns of a file as fields of a campaign. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  display_id: 'custom_display_id',
  website: 'link_for_desktop_users',
  ios_web_redirect: 'ios_web_redirect',
  android_web_redirect: 'android_web_redirect',
  deeplink: 'deeplink',
  domain: 'domain',
};
const LISTS = ['channel', 'store_listing_ids', 'tags'];
const SETTINGS = ['expires_at', 'expired_target', ...UTM_NAMES, 'title', 'description', 'image'];
export const IMPORT_COLUMNS = [...Object.keys(FIELDS), ...LISTS, ...SETTINGS];

interface Outcome {
  readonly line: number;
  readonly name: string;
  readonly outcome: 'created' | 'would_be_created' | 'refused';
  readonly display_id: string | null;
  readonly short_url: string | null;
  readonly msg: string;
}
export interface Imported {
  readonly dry_run: boolean;
  readonly created: number;
  readonly refused: number;
  readonly rows: readonly Outcome[];
}

/** @throws ApiError 400 for what is no table of links, 413 for more rows than a file may have. */
export async function readLinkFile(text: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  try {
    const optional = IMPORT_COLUMNS.filter((column) => column !== 'name');
    for await (const row of readTable(Readable.from([text]), { required: ['name'], optional })) {
      if (rows.length === LINK_LIMITS.rows) throw new ApiError(413, `A file has at most ${LINK_LIMITS.rows} rows.`);
      rows.push(row);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const why = error instanceof TableError ? error.message : 'it cannot be read';
    throw new ApiError(400, `Invalid CSV body: ${why}`);
  }
  if (rows.length === 0) throw new ApiError(400, 'Invalid CSV body: there are no rows');
  return rows;
}

/** Ends the transaction of a change that is not to be. */
class UndoError extends Error {
  constructor(readonly imported: Imported) {
    super('The links are not made.');
  }
}

/** What becomes of each row. Where one is refused, or the run is dry, nothing has been made. */
export async function importLinks(
  parts: LinkParts,
  manager: Manager,
  rows: readonly TableRow[],
  isDry: boolean,
): Promise<Imported> {
  try {
    return await change(parts.postgres, manager.actor, async (db, revision) => {
      const { rules } = await readRules(db, manager.project);
      const outcomes: Outcome[] = [];
      for (const row of rows) {
        const create = (read: NewLink) =>
          insertLink(db, revision, parts.snapshot, manager.project, rules, read.input, read.settings);
        outcomes.push(await tryRow(row, create, manager.project.primaryDomain?.name ?? null, isDry));
      }
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length;
      if (!isDry && refused === 0) return { dry_run: false, created: rows.length, refused, rows: outcomes };
      throw new UndoError({ dry_run: isDry, created: 0, refused, rows: refused > 0 ? outcomes.map(undo) : outcomes });
    });
  } catch (error) {
    if (error instanceof UndoError) return error.imported;
    throw error;
  }
}

/** A good row of a file in which others are refused. */
const undo = (row: Outcome): Outcome =>
  row.outcome === 'created' ? { ...row, outcome: 'would_be_created', display_id: null, short_url: null } : row;

interface NewLink {
  readonly input: ReturnType<typeof readCreateInput>;
  readonly settings: LinkSettings;
}

async function tryRow(
  { row, line }: TableRow,
  create: (read: NewLink) => Promise<string>,
  primary: string | null,
  isDry: boolean,
): Promise<Outcome> {
  const name = (row?.name as string | undefined) ?? '';
  try {
    if (!row) throw new ApiError(400, 'has more or fewer cells than there are columns');
    const read = readRow(row as Readonly<Record<string, string>>);
    const displayId = await create(read);
    const isShown = !isDry || read.input.displayId !== undefined;
    const domain = read.input.domain === undefined ? primary : canonicalDomain(read.input.domain);
    return {
      line,
      name,
      outcome: isDry ? 'would_be_created' : 'created',
      display_id: isShown ? displayId : null,
      short_url: isShown ? shortUrl(domain, displayId) || null : null,
      msg: '',
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { line, name, outcome: 'refused', display_id: null, short_url: null, msg: error.message };
  }
}

const checkSettings = validator(settingsSchema);

function readRow(cells: Readonly<Record<string, string>>): NewLink {
  const given = (name: string) => cells[name] || undefined;
  const list = (name: string) =>
    (given(name)?.split(/[,;|]/) ?? []).map((one) => one.trim()).filter((one) => one !== '');
  const fields = Object.entries(FIELDS).map(([column, field]): [string, unknown] => [field, given(column)]);
  const channel = given('channel');
  const input = readCreateInput({
    ...Object.fromEntries(fields),
    store_listing_ids: list('store_listing_ids'),
    custom_channel_names: channel === undefined ? [] : [channel],
  });
  const utm = UTM_NAMES.flatMap((name) => (given(name) === undefined ? [] : [[name, given(name)]]));
  const title = given('title');
  if (title === undefined && (given('description') ?? given('image')) !== undefined)
    throw new ApiError(400, 'title: is required with a description or an image');
  const settings = {
    tags: [...new Set(list('tags'))],
    ...(utm.length > 0 && { utm: Object.fromEntries(utm) as Record<string, string> }),
    ...(given('expires_at') !== undefined && { expires_at: given('expires_at') }),
    ...(given('expired_target') !== undefined && { expired_target: given('expired_target') }),
    ...(title !== undefined && {
      preview: { title, description: given('description') ?? null, image: given('image') ?? null },
    }),
  };
  return { input, settings: checkSettings(settings) };
}
