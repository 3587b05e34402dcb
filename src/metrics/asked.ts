/** Gauges that are asked for their value. */
import { Gauge, type Registry } from 'prom-client';

interface About {
  readonly name: string;
  readonly help: string;
  /** All processes know the same: the greatest counts, not the sum. */
  readonly isShared?: boolean;
}

/** A gauge that is 0 until the function that this answers is told where to read its value. */
export function askedGauge(registry: Registry, { name, help, isShared = false }: About): (read: () => number) => void {
  let read = () => 0;
  new Gauge({
    name,
    help,
    registers: [registry],
    ...(isShared && { aggregator: 'max' as const }),
    collect() {
      this.set(read());
    },
  });
  return (given) => {
    read = given;
  };
}
