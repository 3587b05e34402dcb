/**
 * The API of adtrail: every operation with its types, sent again where that is safe, lists page after page, and NDJSON
 * row by row. For Node and browsers.
 */
export { createClient, type ClientOptions } from './client.ts';
export { ApiFailure, type FailureBody } from './failure.ts';
export type { components, operations, paths } from './generated.ts';
export type { Keys } from './keys.ts';
export type { Retrying } from './attempts.ts';
export type { RowStream } from './stream.ts';
export type { Answer, Client, PagedPath, Parsing, RowOnPage, StreamedPath } from './types.ts';
