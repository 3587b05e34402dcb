/** What a client can be asked, in types: they follow from those of the API, `generated.ts`. */
import type { FetchOptions } from 'openapi-fetch';
import type { paths } from './generated.ts';
import type { PAGES, STREAMS } from './generated-operations.ts';
import type { RowStream } from './stream.ts';

type Pages = typeof PAGES;
type Streams = typeof STREAMS;
type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The paths with an operation of that method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [Name in M]: object } ? Path : never;
}[keyof paths];
type Operation<Path extends keyof paths, M extends Method> = paths[Path] extends { [Name in M]: infer One }
  ? One
  : never;

/** Bodies that are sent as they are; their `Content-Type` is among the headers. */
export type RawBody = ReadableStream<Uint8Array> | Blob | ArrayBuffer | Uint8Array;
type WithRaw<T> = T extends { body: infer Body } ? Omit<T, 'body'> & { body: Body | RawBody } : T;
/** `params`, `body`, `headers`, `signal` and others of `fetch`. */
type Options<One> = WithRaw<Omit<FetchOptions<One>, 'parseAs' | 'fetch' | 'baseUrl' | 'middleware'>>;
/** What may be left out where nothing in it is needed. */
type Given<T> = object extends T ? [init?: T] : [init: T];

type Success<One> = One extends { responses: infer Answers } ? Answers[keyof Answers & (200 | 201 | 202)] : never;
type Json<Reply> = Reply extends { content: { 'application/json': infer Body } } ? Body : never;
type IsEmpty<One> = One extends { responses: { 204: unknown } } ? undefined : never;
/** What becomes of an answer that is not read as JSON. */
interface Forms {
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: ReadableStream<Uint8Array>;
}

/** The data of a success, and the answer itself for its headers; everything else is thrown. */
export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

interface Call<M extends Method> {
  <Path extends PathWith<M>>(
    path: Path,
    ...init: Given<Options<Operation<Path, M>> & { parseAs?: 'json' }>
  ): Promise<Answer<Json<Success<Operation<Path, M>>> | IsEmpty<Operation<Path, M>>>>;
  /** For answers that are texts or files. */
  <Path extends PathWith<M>, As extends keyof Forms>(
    path: Path,
    init: Options<Operation<Path, M>> & { parseAs: As },
  ): Promise<Answer<Forms[As]>>;
}

type Field<T, Name> = Name extends keyof T ? T[Name] : never;
type Within<Body, Name> = Name extends string ? Field<Body, Name> : Body;
type Got<Path extends keyof paths> = Json<Success<Operation<Path, 'get'>>>;

/** Lists that are paged. */
export type PagedPath = keyof Pages;
/** A row of such a list. */
export type RowOnPage<Path extends PagedPath> =
  Field<Within<Got<Path>, Pages[Path]['within']>, Pages[Path]['rows']> extends readonly (infer Row)[] ? Row : never;
/** What answers NDJSON. */
export type StreamedPath = keyof Streams;
type Streamed<Path extends StreamedPath> = Operation<Path, Lowercase<Streams[Path]['method']>>;

/** How the lines of a stream become rows. */
export interface Parsing<T> {
  /**
   * `JSON.parse` unless said otherwise. Exports have all digits of their numbers: one that keeps those beyond 2^53 goes
   * here.
   */
  readonly parse?: (line: string) => T;
}

export interface Client {
  readonly GET: Call<'get'>;
  readonly PUT: Call<'put'>;
  readonly POST: Call<'post'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /**
   * The rows of a list, page after page, each asked for when it is needed. No row comes twice, although the list may
   * change meanwhile.
   */
  pages<Path extends PagedPath>(
    path: Path,
    ...init: Given<Options<Operation<Path, 'get'>>>
  ): AsyncGenerator<RowOnPage<Path>, void, undefined>;
  /** Resolves once the stream begins. One that breaks off throws where it is gone through. */
  stream<Path extends StreamedPath, T = Record<string, unknown>>(
    path: Path,
    init: Options<Streamed<Path>> & Parsing<T>,
  ): Promise<RowStream<T>>;
}
