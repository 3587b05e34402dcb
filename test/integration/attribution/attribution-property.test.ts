/**
 * Random histories of touches and installs, decided by the service and by an independent model of
 * docs/contract/attribution.md.
 */
import { expectDecidedAsModel } from '../../support/attribution/attribution-random';
import { sharedService } from '../../support/shared-service';

const service = sharedService();

test(
  'the service decides every install as the model does',
  () => expectDecidedAsModel(service, Number(process.env.HISTORIES ?? 500)),
  540_000,
);
