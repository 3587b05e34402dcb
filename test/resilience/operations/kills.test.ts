/** One installation whose service is killed again and again: nothing is lost, and nothing is done twice. */
import { oneService } from '../../support/one-service';
import { attributionDurability } from '../attribution/attribution-durability.scenario';
import { formerVisitors } from '../attribution/former-visitors.scenario';
import { outboxKills } from '../deliveries/outbox-kills.scenario';
import { statementKills } from '../ingest/statement-kills.scenario';
import { reportDurability } from '../reports/report-durability.scenario';

const begin = oneService();
// The first one: it counts every install.
describe('statements', () => statementKills(begin));
describe('decisions', () => attributionDurability(begin));
describe('reports', () => reportDurability(begin));
describe('visitors of an earlier version', () => formerVisitors(begin));
describe('messages', () => outboxKills(begin));
