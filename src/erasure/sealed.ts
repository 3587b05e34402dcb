/**
 * Whom to forget, as PostgreSQL holds it until it is done: encrypted, since what is deleted there stays readable in its
 * log and its pages for long.
 */
import type { Seal, Seals } from '../lib/seal';

/** The keys are the same on every process; requests under way cannot be read with others. */
export function sealRequests(seals: Seals): Seal {
  const { seal, open } = seals.of('erasure requests');
  return {
    seal,
    open(sealed) {
      try {
        // Requests of early versions stand as they were sent.
        return open(sealed);
      } catch (error) {
        throw new Error('It was requested under another SEAL_KEY and cannot be read: request it again', {
          cause: error,
        });
      }
    },
  };
}
