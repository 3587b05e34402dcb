/** What waits to be sent. */
import { Gauge, type Registry } from 'prom-client';

/** Messages that wait to be sent to one host. */
export interface PendingMessages {
  readonly host: string;
  readonly pending: number;
  /** Seconds since the oldest of them was settled. */
  readonly oldest: number;
}

/** The gauges of what waits to be sent; answers a function that is told where to read it. */
export function outboxGauges(registry: Registry): (read: () => readonly PendingMessages[]) => void {
  let read: () => readonly PendingMessages[] = () => [];
  const registers = [registry];
  const byHost = (name: string, help: string, of: 'pending' | 'oldest') =>
    new Gauge({
      name,
      help,
      labelNames: ['destination'],
      registers,
      // All processes see the same messages.
      aggregator: 'max',
      collect() {
        this.reset();
        for (const waiting of read()) this.set({ destination: waiting.host }, waiting[of]);
      },
    });
  byHost('adtrail_outbox_pending', 'Postbacks and webhooks that wait to be delivered', 'pending');
  byHost('adtrail_outbox_oldest_seconds', 'Age of the oldest of them', 'oldest');
  return (given) => {
    read = given;
  };
}
