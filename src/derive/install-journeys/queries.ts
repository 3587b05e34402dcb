/** The queries behind journeys, one function per statement of clickhouse/queries. */
import { command, query } from '../queries';

export const batches = 'journey_batches';
export const selectDirty = command('install-journeys.select-dirty');
/** Up to two installs that a chunk is about. */
export const readSeeds = query<{ project_id: number; entity: string }>('install-journeys.seeds');
export const split = command('install-journeys.split');
export const readProjects = query<{ project_id: number }>('install-journeys.projects');
export const indexEventNames = command('install-journeys.index-event-names');
export const collect = command('install-journeys.collect');
export const expandByDevice = command('install-journeys.expand-by-device', {
  devices: 'install-journeys.step-known-devices',
});
export const countRound = query<{ rows: number }>('install-journeys.count-round');
export const findRootInstalls = command('install-journeys.find-root-installs', {
  known_installs: 'install-journeys.step-known-installs',
  known_devices: 'install-journeys.step-known-devices',
  installs_by_device: 'install-journeys.step-installs-by-device',
  roots: 'install-journeys.step-roots',
});
export const derive = command('install-journeys.derive', {
  known_installs: 'install-journeys.step-known-installs',
  known_events: 'install-journeys.step-known-events',
  members: 'install-journeys.step-members',
  installs_by_root: 'install-journeys.step-installs',
  origins: 'install-journeys.step-origins',
  events_by_root: 'install-journeys.step-events',
  episodes_by_root: 'install-journeys.step-episodes',
  journeys: 'install-journeys.step-journeys',
});
export const deleteStale = command('install-journeys.delete-stale');
