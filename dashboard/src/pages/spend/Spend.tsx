/** What the campaigns cost, by day and campaign, and the upload of more of it. */
import { SegmentedControl, Tabs } from '@mantine/core';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ViewTools } from '../../components/ViewTools';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useMay } from '../../session';
import { History } from './History';
import { buildQuestion } from './questions';
import { spendSearch, TABS } from './search';
import { Spent } from './Spent';
import { Upload } from './Upload';
import { spend as text } from '../../texts/spend';
import { texts } from '../../texts';

export default function Spend() {
  const [view, setView] = useView(spendSearch);
  const [period] = usePeriod();
  const mayUpload = useMay('spend');
  const tab = mayUpload ? view.tab : 'spent';
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.spend} about={text.about}>
        {tab === 'spent' && (
          <>
            <SegmentedControl
              size="xs"
              aria-label={text.view}
              value={view.rows}
              data={[
                { value: 'campaigns', label: texts.titles.campaigns },
                { value: 'days', label: texts.days },
              ]}
              onChange={(rows) => setView({ rows, sort: undefined })}
            />
            <PeriodPicker />
            <ViewTools question={buildQuestion(view.rows, period)} name={texts.titles.spend} />
          </>
        )}
      </PageHeader>
      {mayUpload ? (
        <Tabs
          value={tab}
          onChange={(next) => setView({ tab: TABS.find((one) => one === next) ?? 'spent' })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="spent">{text.spent}</Tabs.Tab>
            <Tabs.Tab value="upload">{text.upload}</Tabs.Tab>
            <Tabs.Tab value="history">{text.history.tab}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="spent">
            <Spent onUpload={() => setView({ tab: 'upload' })} />
          </Tabs.Panel>
          <Tabs.Panel value="upload">
            <Upload onDone={() => setView({ tab: 'spent' })} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <History />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Spent />
      )}
    </PageBody>
  );
}
