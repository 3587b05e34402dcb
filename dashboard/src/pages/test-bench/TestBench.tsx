/** The test bench: what a request would be answered, and why. Nothing is stored. */
import { SegmentedControl } from '@mantine/core';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { useView } from '../../search';
import { texts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';
import { Batch } from './Batch';
import { testBenchSearch } from './search';
import { Single } from './Single';

const text = partnerTexts.bench;

export default function TestBench() {
  const [{ mode }, setView] = useView(testBenchSearch);
  return (
    <PageBody>
      <PageHeader title={texts.titles.partnerBench} about={text.about}>
        <SegmentedControl
          size="xs"
          aria-label={text.mode}
          value={mode}
          data={(['url', 'form', 'batch'] as const).map((one) => ({ value: one, label: text.modes[one] }))}
          onChange={(next) => setView({ mode: next, sample: undefined })}
        />
      </PageHeader>
      {mode === 'batch' ? <Batch /> : <Single />}
    </PageBody>
  );
}
