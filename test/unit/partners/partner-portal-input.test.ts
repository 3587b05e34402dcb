/** The parameters of what a partner asks about itself (docs/contract/partners.md). */
import { readValues } from '../../../src/openapi/operation';
import { partnerPortalApi } from '../../../src/partner-portal/routes';
import { refusal } from '../../support/http/refusal';

const read = (operationId: string, query: string) =>
  readValues(
    partnerPortalApi.operations.find((one) => one.operationId === operationId)?.parameters ?? [],
    new URLSearchParams(query),
  );

test.each([
  ['partnerTraffic', 'to=2026-03-01', 'from: must be a day, written YYYY-MM-DD'],
  ['partnerTraffic', 'from=2026-01-01&to=2026-02-01&granularity=week', 'granularity: must be one of hour, day'],
  [
    'partnerTraffic',
    'from=2026-01-01&to=2026-01-01&project_id=x',
    'project_id: must be a whole number from 1 to 2147483647',
  ],
  ['listCreditedInstalls', 'from=2026-01-01&to=2026-01-01&limit=0', 'limit: must be a whole number from 1 to 1000'],
  ['listCreditedInstalls', 'from=2026-02-30&to=2026-03-01', 'from: must be a day, written YYYY-MM-DD'],
  ['listPartnerCampaigns', `search=${'x'.repeat(101)}`, 'search: must have at most 100 characters'],
  ['listPartnerCampaigns', 'search=%00', 'search: must be text without NUL characters and lone surrogates'],
])('%s?%s is refused', (path, query, msg) => expect(refusal(() => read(path, query))).toEqual([400, msg]));

test('what is left out is filled in', () => {
  const range = 'from=2026-01-01&to=2026-12-31';
  expect(read('partnerTraffic', range)).toMatchObject({ granularity: 'day', project_id: undefined });
  expect(read('listCreditedInstalls', range)).toMatchObject({ project_id: undefined, limit: 100 });
  expect(read('listPartnerCampaigns', '')).toEqual({ search: '', page: 1, limit: 100 });
});
