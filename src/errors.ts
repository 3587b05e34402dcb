/** Kinds of failure that are told apart: answers of the main API, engines that are away, and reasons not to start. */

/**
 * An error of the main API or of administration: becomes `{"msg", "status", ...extra}` (docs/contract/main-api.md).
 * `message` is shown to the caller, so nothing internal belongs in it.
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** An engine did not answer, or not in time: the request may be repeated as it is, and is then answered by 503. */
export class UnavailableError extends Error {}

/** A reason not to continue that the operator can correct; its message says everything. */
export class StartError extends Error {}
