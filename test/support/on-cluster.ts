/** In every suite that runs on a cluster, before it: its services are to be on one. */
import { ON_CLUSTER } from './service';

process.env[ON_CLUSTER] = '1';
