/** The figures of a partner by project. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@adtrail/client';
import { trafficByProjectQuery } from '../../api/partner';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { usePartner } from '../../session';
import { readCount, figureText, type FigureName } from './figures';
import { partner as text } from '../../texts/partner';

const SHOWN: readonly FigureName[] = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'refused',
  'installs',
  'signups',
  'events',
];

type Row = components['schemas']['PartnerTrafficByProject']['projects'][number];

const COLUMNS: readonly Column<Row>[] = [
  { id: 'project', header: text.project, value: ({ project }) => project },
  { id: 'account', header: text.account, value: ({ account }) => account },
  ...SHOWN.map((name): Column<Row> => {
    const { label, about } = figureText(name);
    return { id: name, header: label, about, kind: 'count', value: (row) => readCount(row, name) };
  }),
];

export function ByProject({ from, to }: { from: string; to: string }) {
  const [sort, setSort] = useState('-clicks');
  const answer = useQuery(trafficByProjectQuery(usePartner().id, { from, to }));
  const { data, error, isPending, isPlaceholderData, refetch } = answer;
  return (
    <Panel title={text.overview.byProject} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.overview.byProject}
          columns={COLUMNS}
          rows={data?.projects}
          rowId={(row) => String(row.project_id)}
          sort={sort}
          onSort={setSort}
          loading={isPending}
          stale={isPlaceholderData}
          skeletons={3}
        />
      )}
    </Panel>
  );
}
