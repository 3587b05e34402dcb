/** How long a service's event loop was held, by its own metric, which begins anew whenever it is read. */
import { ADMIN_TOKEN, type Service } from '../service';

const METRIC = /^nodejs_eventloop_lag_max_seconds ([0-9.e+-]+)/m;

const ATTEMPTS = 5;

async function readHeld(service: Pick<Service, 'request'>): Promise<number> {
  const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  return 1000 * Number(METRIC.exec(await response.text())?.[1]);
}

/**
 * The longest time in milliseconds for which `work` held the event loop of a service of one process. The metric counts
 * the time in which the machine ran something else, too: work that seems to hold it for more than `expected` is done
 * again, some times, and the best counts.
 */
export async function heldFor(
  service: Pick<Service, 'request'>,
  work: () => Promise<unknown>,
  expected = Infinity,
): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await readHeld(service);
    await work();
    least = Math.min(least, await readHeld(service));
    if (least < expected) break;
  }
  return least;
}
