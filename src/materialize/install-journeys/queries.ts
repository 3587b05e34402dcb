/** The queries behind journeys, one function per file of clickhouse/queries. */
import { command, query } from '../queries';

/** One chunk of a run: installs whose events lie together. */
export interface Chunk extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  readonly chunk: number;
}

export const selectDirty = command('install-journeys.select-dirty');
export const readChunks = query<{ chunk: number }>('install-journeys.chunks');
export const readProjects = query<{ project_id: number }>('install-journeys.projects');
export const indexEventNames = command('install-journeys.index-event-names');
export const expandByDevice = command('install-journeys.expand-by-device');
export const countRound = query<{ rows: number }>('install-journeys.count-round');
export const countReinstalls = query<{ rows: number }>('install-journeys.count-reinstalls');
export const findRootInstalls = command('install-journeys.find-root-installs');
export const derive = command('install-journeys.derive');
export const deleteStale = command('install-journeys.delete-stale');
