/** Answers that are files: which format a request asks for, and how it is sent. */
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { FORMAT_NAMES, FORMATS, type Format } from '../files/formats';

/** The file format that a request asks for, by the name that it gives or else by `Accept`; undefined for JSON. */
export function chooseFormat(
  ctx: Pick<Context, 'accepts'>,
  { format }: { readonly format: Format | 'json' | undefined },
): Format | undefined {
  if (format) return format === 'json' ? undefined : format;
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
