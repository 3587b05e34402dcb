/** The port to traces: what spans are of, whether anything records them or not. */
import type { IncomingHttpHeaders } from 'node:http';

/** Nothing that a caller can choose but the ID of its request: no parameter, token, address or ID of a record. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A span that is under way. */
export interface Span {
  set(attributes: Attributes): void;
}

export interface RequestSpan {
  /** Runs what answers the request; spans in it are children of this one. */
  run(work: () => void): void;
  /** The answer has been sent, or its connection has broken. */
  end(name: string, attributes: Attributes, failed: boolean): void;
}

export interface Tracing {
  /** Whether spans are recorded at all. */
  readonly isOn: boolean;
  /** Runs `work` in a span; it fails as `work` does, by the name of the error and not by its message. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** The same for a part of something: outside of any span it is just run. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Notes what has just ended after this many seconds. */
  past(name: string, attributes: Attributes, seconds: number): void;
  /** Begins the span of a request, below that of its `traceparent`. */
  request(headers: IncomingHttpHeaders, requestId: string): RequestSpan;
  /** Sends what is recorded, for `ms` at most. */
  stop(ms: number): Promise<void>;
}

const NOWHERE: Span = { set: () => undefined };

/** Records nothing. */
export const NO_TRACING: Tracing = {
  isOn: false,
  span: (_name, _attributes, work) => work(NOWHERE),
  part: (_name, _attributes, work) => work(),
  past: () => undefined,
  request: () => ({ run: (work) => work(), end: () => undefined }),
  stop: () => Promise.resolve(),
};
