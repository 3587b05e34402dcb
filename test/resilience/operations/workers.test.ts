/** An installation of two workers: S2S over both, then the workers themselves, stopped and killed. */
import { oneService } from '../../support/one-service';
import { s2sWorkers } from '../s2s/s2s-workers.scenario';
import { lifecycleWorkers } from './lifecycle-workers.scenario';

const begin = oneService();
// The first one: it counts every request of the installation.
describe('S2S', () => s2sWorkers(begin));
describe('workers', () => lifecycleWorkers(begin));
