/** Asks the service for the derived tables, where looking again and again would cost ClickHouse more. */
import type { Service } from './service';

/** Everything that was accepted before the call is in reports and views, or the service has tried for half a minute. */
export async function caughtUp(service: Service): Promise<void> {
  await service.admin('POST', '/catch-up');
}
