/** Funnels: steps, their order and window, as bars and by campaign, country and the like. */
import { Group, Paper, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectApi, unwrapData } from '../../api/client';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { FilterBar } from '../../components/FilterBar';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { CountrySource } from '../../components/Values';
import { filterTo } from '../../drill';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { curlCall } from '../../shell';
import { dimensionText, texts } from '../../texts';
import { funnel as text } from '../../texts/funnel';
import { Bars } from './Bars';
import { buildColumns, toCsvRows } from './columns';
import { funnelSearch, WINDOWS } from './search';
import { Steps } from './Steps';
import { buildQuestion, DIMENSIONS, readSteps, type FunnelQuestion, type View } from './steps';

const PATH = '/api/v1/reporting/funnel';

function useFunnel(question: FunnelQuestion | undefined) {
  const { id } = useProject();
  return useQuery({
    queryKey: ['funnel', id, question],
    queryFn: ({ signal }) => unwrapData(projectApi(id).POST(PATH, { body: question as FunnelQuestion, signal })),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
  });
}

const writeCurl = (question: FunnelQuestion) =>
  curlCall(`${window.location.origin}${PATH}`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`, 'Content-Type: application/json'],
    body: JSON.stringify(question),
  });

export default function Funnel() {
  const [view, setView] = useView(funnelSearch);
  const [period] = usePeriod();
  const { name: project } = useProject();
  const formats = useFormats();
  const question = buildQuestion(view, period);
  const { data, error, isPlaceholderData, refetch } = useFunnel(question);
  const [sort, setSort] = useState('-0');
  const asked = data?.query as FunnelQuestion | undefined;
  const by = asked?.dimensions?.[0];
  const filter = (value: string) => by && setView({ filters: filterTo(view.filters, by, value) });
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.funnel} about={text.about}>
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${project} ${texts.titles.funnel} ${period.from} ${period.to}`}
          {...(question && { call: writeCurl(question) })}
          csv={data && asked ? toCsvRows(data, asked) : []}
        />
      </PageHeader>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Paper p="md" component="section" aria-label={text.steps}>
          <Builder view={view} onChange={setView} />
        </Paper>
        <Panel title={text.all}>
          {error ? (
            <ErrorBox error={error} onRetry={() => void refetch()} />
          ) : !question ? (
            <Text size="sm" c="dimmed">
              {text.missing}
            </Text>
          ) : !data || !asked ? (
            <Skeleton h={220} />
          ) : data.totals[0]?.installs === 0 ? (
            <EmptyState title={text.empty} text={text.emptyText} />
          ) : (
            <Bars steps={asked.steps} figures={data.totals} stale={isPlaceholderData} />
          )}
          {data && data.meta.windows_ended_until < period.to && (
            <Text size="xs" c="dimmed" mt="md">
              {text.early(formats.day(data.meta.windows_ended_until))}
            </Text>
          )}
        </Panel>
      </SimpleGrid>
      {by !== undefined && data && asked && (
        <Panel flush title={text.table(dimensionText(by))}>
          <DataTable
            label={text.table(dimensionText(by))}
            columns={buildColumns(asked, filter)}
            rows={data.results}
            rowId={(row) => row.dimensions.join(' ')}
            sort={sort}
            onSort={setSort}
            stale={isPlaceholderData}
            maxHeight="70vh"
          />
        </Panel>
      )}
      {by === 'country' && <CountrySource />}
    </PageBody>
  );
}

function Builder({ view, onChange }: { view: View; onChange: (changes: Partial<View>) => void }) {
  return (
    <Stack gap="md">
      <Steps steps={readSteps(view)} onChange={(steps) => onChange({ steps })} />
      <Group gap="sm" align="flex-end">
        <Select
          size="xs"
          w={150}
          label={text.order}
          allowDeselect={false}
          value={view.order}
          data={(['open', 'strict'] as const).map((value) => ({ value, label: text.orders[value] }))}
          onChange={(order) => onChange({ order: order ?? view.order })}
        />
        <Select
          size="xs"
          w={100}
          label={text.window}
          allowDeselect={false}
          value={view.window}
          data={[...WINDOWS]
            .sort((a, b) => Number(a) - Number(b))
            .map((value) => ({ value, label: text.windows(value) }))}
          onChange={(window) => onChange({ window: window ?? view.window })}
        />
        <Select
          size="xs"
          w={130}
          label={text.by}
          allowDeselect={false}
          value={view.by}
          data={[
            ...DIMENSIONS.map((value) => ({ value, label: dimensionText(value) })),
            { value: 'none', label: text.byNone },
          ]}
          onChange={(by) => onChange({ by: (by ?? view.by) as View['by'] })}
        />
      </Group>
      <FilterBar
        source="app"
        dimensions={DIMENSIONS}
        filters={view.filters}
        onChange={(filters) => onChange({ filters })}
      />
    </Stack>
  );
}
