/** How many reports and files are under way. */
import { Gauge, type Registry } from 'prom-client';

/** How many reports are computed and wait, and how many files are written. */
export interface ReportState {
  readonly running: number;
  readonly waiting: number;
  readonly exports: number;
}

/** The gauges of the places of reports and files; answers a function that is told where to read them. */
export function reportGauges(registry: Registry): (read: () => ReportState) => void {
  let read: () => ReportState = () => ({ running: 0, waiting: 0, exports: 0 });
  const registers = [registry];
  const gauge = (name: string, help: string, of: keyof ReportState) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read()[of]);
      },
    });
  gauge(
    'adtrail_reports_running',
    'Reports and queries that are being computed; two at a time in a process',
    'running',
  );
  gauge('adtrail_reports_waiting', 'Reports and queries that wait for a place; beyond 19 they are refused', 'waiting');
  gauge('adtrail_exports_running', 'Files that are being written; four at a time in a process', 'exports');
  return (given) => {
    read = given;
  };
}
