/** Refusals that several features have in common. */
import { errorReply } from './operation';

/** `toPage` and its parameters. */
export const pageOutOfBounds = errorReply(
  422,
  '`page` or `limit` is out of bounds.',
  "Invalid page number '0'. Page must be a positive integer.",
);

/** What has a name of its own, and of which a project has only so many. */
export const nameTaken = (what: string, most: number) =>
  errorReply(409, `Another ${what} has the name, or the project has ${most} already.`, `name: another ${what} has it`);
