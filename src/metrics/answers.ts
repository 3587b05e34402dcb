/** How long answers over HTTP take. */
import { Histogram, type Registry } from 'prom-client';

/** The durations of answers; every click is in them, so each pair of labels is looked up once. */
export function answerSeconds(registry: Registry): (area: string, status: string, seconds: number) => void {
  const histogram = new Histogram({
    name: 'adtrail_http_request_seconds',
    help: 'Duration of requests up to the end of their answers, by where they went and the class of the status',
    labelNames: ['area', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  const known = new Map<string, Map<string, Histogram.Internal<'area' | 'status'>>>();
  return (area, status, seconds) => {
    const ofArea = known.get(area) ?? new Map<string, Histogram.Internal<'area' | 'status'>>();
    known.set(area, ofArea);
    const one = ofArea.get(status) ?? histogram.labels({ area, status });
    ofArea.set(status, one);
    one.observe(seconds);
  };
}
