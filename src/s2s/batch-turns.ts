/** How many batches of a partner are in memory at a time: a body has up to 8 MB, and what is read of it some more. */
import { Semaphore } from 'async-mutex';

const AT_A_TIME = 4;

export class BatchTurns {
  private readonly partners = new Map<number, { readonly places: Semaphore; batches: number }>();

  /** Does the work once fewer than four batches of the partner are at work; until then its body is not read. */
  async run<T>(partnerId: number, work: () => Promise<T>): Promise<T> {
    let partner = this.partners.get(partnerId);
    if (!partner) this.partners.set(partnerId, (partner = { places: new Semaphore(AT_A_TIME), batches: 0 }));
    partner.batches += 1;
    try {
      return await partner.places.runExclusive(work);
    } finally {
      partner.batches -= 1;
      if (partner.batches === 0) this.partners.delete(partnerId);
    }
  }
}
