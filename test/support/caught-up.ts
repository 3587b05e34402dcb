/** Asks the service for the derived tables, where looking again and again would cost ClickHouse more. */
import type { Service } from './service';

/** Each waits for half a minute. */
const TRIES = 3;

/** Everything that was accepted before the call is in reports and views. @throws where that takes too long. */
export async function caughtUp(service: Service): Promise<void> {
  let answer = await service.admin('POST', '/catch-up');
  for (let tries = 1; answer.status === 503 && tries < TRIES; tries++)
    answer = await service.admin('POST', '/catch-up');
  if (answer.status !== 200) throw new Error(`The service did not catch up: ${JSON.stringify(answer.body)}`);
}
