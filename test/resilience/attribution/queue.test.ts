/** The queue of installs and the index of touches on one installation, which had much to do before it first ran. */
import { oneService } from '../../support/one-service';
import { attributionQueue } from './attribution-queue.scenario';
import { hotIdentifier } from './hot-identifier.scenario';
import { longFilling } from './long-filling.scenario';

const begin = oneService();
// The first one: no worker has run before it.
describe('the queue', () => attributionQueue(begin));
describe('what many share', () => hotIdentifier(begin));
describe('a long filling', () => longFilling(begin));
