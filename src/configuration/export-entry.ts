/** An export as somebody declares it: a workspace document, or the project itself. */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { readQueryInput } from '../questions/query-input';
import {
  FieldError,
  nameExportPlace,
  nameFolder,
  readDestination,
  type Destination,
  type ExportEntry,
  type ExportPlaces,
} from './exports';

/** Any day: the period of an export takes its place. */
const SOME_DAY = '2026-01-01';

/** An export as it is stored. */
export interface ReadEntry extends Row {
  readonly name: string;
  /** Kind of records, or `query`. */
  readonly kind: string;
  readonly query: Readonly<Record<string, unknown>> | null;
  readonly format: ExportEntry['format'];
  readonly every: ExportEntry['every'];
  readonly destination: Destination;
  /** Where it writes to, in one form. */
  readonly place: string;
  readonly enabled?: boolean;
}

/** @throws ApiError 400 naming the field, by what stands before it in `field`. */
export function readEntry(entry: ExportEntry, places: ExportPlaces, field: string): ReadEntry {
  const { name, kind, format, every, enabled } = entry;
  const query = typeof kind === 'string' ? null : readQuestion(kind.query, every, field);
  const stored = typeof kind === 'string' ? kind : 'query';
  try {
    const destination = readDestination(entry.destination, places);
    const place = nameExportPlace(destination, nameFolder(stored, name));
    return { name, kind: stored, query, format, every, destination, place, enabled };
  } catch (error) {
    if (error instanceof FieldError) throw new ApiError(400, `${field}destination.${error.field}: ${error.problem}`);
    throw error;
  }
}

function readQuestion(query: Readonly<Record<string, unknown>>, every: string, field: string) {
  if (every !== 'day') throw new ApiError(400, `${field}every: a query is exported by the day`);
  const days = ['from', 'to', 'compare', 'limit', 'offset'].find((one) => one in query);
  if (days) throw new ApiError(400, `${field}kind.query.${days}: has no place here`);
  try {
    readQueryInput({ ...query, from: SOME_DAY, to: SOME_DAY });
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError(400, `${field}kind.query: ${error.message}`);
    throw error;
  }
  return query;
}
