/**
 * Whom to forget, as PostgreSQL holds it until it is done: encrypted, since what is deleted there stays readable in its
 * log and its pages for long.
 */
import { createSeal, isSealed, type Seal } from '../seal';

/** `secret` is the same on every process; requests under way cannot be read with another one. */
export function sealRequests(secret: string): Seal {
  const { seal, open } = createSeal(secret, 'erasure requests');
  return {
    seal,
    open(sealed) {
      // Requests of a version before this one stand as they were sent.
      if (!isSealed(sealed)) return sealed;
      try {
        return open(sealed);
      } catch (error) {
        throw new Error('It was requested under another ADMIN_TOKEN and cannot be read: request it again', {
          cause: error,
        });
      }
    },
  };
}
