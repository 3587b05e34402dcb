/** Answers that are files: which format a request asks for, and how it is sent. */
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { ApiError } from '../errors';
import { FORMAT_NAMES, FORMATS, type Format } from '../files/formats';

/**
 * The file format that a request asks for, by `?format=` or else by `Accept`; undefined for JSON.
 *
 * @throws ApiError 400 for an unknown `format`.
 */
export function chooseFormat(ctx: Pick<Context, 'accepts'>, query: URLSearchParams): Format | undefined {
  const named = query.get('format');
  if (named === 'json') return undefined;
  if (named) {
    const format = FORMAT_NAMES.find((one) => one === named);
    if (!format) throw new ApiError(400, `Unknown format '${named}'. Legal: json, ${FORMAT_NAMES.join(', ')}.`);
    return format;
  }
  const accepted = ctx.accepts(['application/json', ...FORMAT_NAMES.map((one) => FORMATS[one].accept)]);
  return FORMAT_NAMES.find((one) => FORMATS[one].accept === accepted);
}

/**
 * Answers with a file of that name, without its ending. `completeUntil` is the receipt time up to which everything
 * accepted is in it; null while that is not known. Koa cuts the connection where the stream fails, and ends the stream
 * where the caller has gone.
 */
export function sendFile(
  ctx: Context,
  name: string,
  format: Format,
  stream: Readable,
  completeUntil: string | null,
): void {
  ctx.set('Content-Type', FORMATS[format].type);
  ctx.set('Content-Disposition', `attachment; filename="${name}.${format}"`);
  if (completeUntil !== null) ctx.set('Complete-Until', completeUntil);
  ctx.body = stream;
}
