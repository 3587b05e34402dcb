/** The figures of the campaign by its ads, ad sets, keywords, platforms or countries. */
import { SegmentedControl, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useReport, type ReportRow } from '../../api/queries';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { metricColumn, type Column } from '../../components/table-columns';
import { ValueLink, ViewAll } from '../../components/ValueCell';
import { UnknownNote } from '../../components/UnknownNote';
import { CountrySource } from '../../components/Values';
import { rowName } from '../../names';
import type { Period } from '../../period';
import { useView } from '../../search';
import { useProject } from '../../session';
import { dimensionText, texts } from '../../texts';
import { partMetrics } from '../../figures';
import { partsQuestion, type Part } from './questions';
import { campaignSearch, PARTS } from './search';
import { campaigns as campaignsTexts } from '../../texts/campaigns';

const text = campaignsTexts.one.parts;
const { none }: { none: Partial<Record<Part, string>> } = text;

export function Parts({ campaign, period }: { campaign: string; period: Period }) {
  const [{ by, sort }, setView] = useView(campaignSearch);
  const question = useMemo(() => partsQuestion(campaign, period, by), [campaign, period, by]);
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, question);
  // The answer to the question before does not fit the columns.
  const isOther = isPlaceholderData && (data?.query as { dimensions?: string[] }).dimensions?.[0] !== by;
  const columns = useMemo((): Column<ReportRow>[] => {
    const name = (row: ReportRow) => (row.dimensions[0] === '' && none[by]) || rowName(question, row);
    return [
      {
        id: by,
        header: dimensionText(by),
        value: (row) => name(row),
        cell: (row) => <ValueLink source="app" dimension={by} value={row.dimensions[0] ?? ''} name={name(row)} />,
      },
      ...partMetrics(by).map((metric, at) => metricColumn<ReportRow>(metric, at)),
    ];
  }, [by, question]);
  const known = sort !== undefined && columns.some(({ id }) => id === sort.replace(/^-/, ''));
  const set = (next: string) => setView({ by: next as Part, sort: undefined }, { replace: true });
  const choices = PARTS.map((value) => ({ value, label: text[value] }));
  return (
    <Panel
      flush
      title={text.title}
      question={question}
      tools={
        <>
          <SegmentedControl size="xs" visibleFrom="sm" aria-label={text.by} value={by} data={choices} onChange={set} />
          <Select
            size="xs"
            w={120}
            hiddenFrom="sm"
            aria-label={text.by}
            allowDeselect={false}
            value={by}
            data={choices}
            onChange={(next) => set(next ?? by)}
          />
        </>
      }
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <div style={{ minHeight: 180 }}>
          <DataTable
            label={text[by]}
            columns={columns}
            rows={data?.results}
            rowId={(row) => row.dimensions.join(' ')}
            sort={known ? sort : '-installs'}
            onSort={(next) => setView({ sort: next }, { replace: true })}
            loading={isPending || isOther}
            skeletons={4}
            stale={isPlaceholderData}
            empty={<EmptyState title={texts.tools.table.empty} />}
          />
          <ViewAll source="app" metrics={partMetrics(by)} by={[by]} filters={[['is', 'campaign', [campaign]]]} />
          <div style={{ padding: '0 16px' }}>
            <UnknownNote reports={[data]} />
          </div>
          {by === 'country' && (
            <div style={{ padding: '8px 16px' }}>
              <CountrySource />
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}
