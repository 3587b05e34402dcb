/** Wires traces: OpenTelemetry is loaded where the configuration says that spans are sent, and nowhere else. */
import type { Config } from '../config';
import type { Log } from '../lib/log';
import { NO_TRACING, type Tracing } from '../tracing/tracing';
import { version } from '../lib/version';

export async function wireTracing({ tracing }: Pick<Config, 'tracing'>, log: Log): Promise<Tracing> {
  if (!tracing) return NO_TRACING;
  const { startTracing } = await import('../tracing/otel.js');
  return startTracing({ ...tracing, version, log });
}
