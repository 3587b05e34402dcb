/** What is accepted is stored, and once, on one installation: its log, its touches, and what a disk has lost. */
import { oneService } from '../../support/one-service';
import { linksDurability } from '../links/links-durability.scenario';
import { s2sDurability } from '../s2s/s2s-durability.scenario';
import { brokenParts } from './broken-parts.scenario';
import { ingestLog } from './ingest-log.scenario';

const begin = oneService();
describe('the ingest log', () => ingestLog(begin));
describe('S2S', () => s2sDurability(begin));
describe('tracking links', () => linksDurability(begin));
// The last one: it leaves rows missing.
describe('broken parts', () => brokenParts(begin));
