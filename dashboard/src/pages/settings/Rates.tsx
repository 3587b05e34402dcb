/** Exchange rates of the installation. Operators add to them on a page of the installation. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ratesQuery, type Rate } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.rates;
const MOST = 500;
const DIGITS = 9;

export function Rates() {
  const { count, day } = useFormats();
  const { data, error, isPending, refetch } = useQuery(ratesQuery);
  const latest = useMemo(() => [...(data ?? [])].sort((a, b) => b.date.localeCompare(a.date)).slice(0, MOST), [data]);
  const columns: Column<Rate>[] = [
    { id: 'date', header: texts.day, value: ({ date }) => date, cell: ({ date }) => day(date) },
    { id: 'currency', header: texts.currency, value: ({ currency }) => currency },
    {
      id: 'usd',
      header: text.usd,
      kind: 'count',
      value: ({ usd }) => usd,
      cell: ({ usd }) => usd.toLocaleString('en', { maximumFractionDigits: DIGITS }),
    },
  ];
  const about =
    data && data.length > MOST ? `${text.about} ${text.shown(count(MOST), count(data.length))}` : text.about;
  return (
    <Panel title={settingsTexts.tabs.rates} about={about} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={settingsTexts.tabs.rates}
          columns={columns}
          rows={latest}
          rowId={({ date, currency }) => `${date} ${currency}`}
          loading={isPending}
          maxHeight={520}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
    </Panel>
  );
}
