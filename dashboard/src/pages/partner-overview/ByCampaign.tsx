/** The figures of a partner by campaign. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@adtrail/client';
import { trafficByCampaignQuery } from '../../api/partner';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { usePartner } from '../../session';
import { readCount, figureText, type FigureName } from './figures';
import { texts } from '../../texts';
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

type Row = components['schemas']['PartnerTrafficByCampaign']['campaigns'][number];

const COLUMNS: readonly Column<Row>[] = [
  { id: 'campaign', header: texts.campaign, value: ({ name }) => name },
  { id: 'code', header: text.overview.code, value: ({ display_id }) => display_id },
  { id: 'project', header: text.project, value: ({ project }) => project },
  ...SHOWN.map((name): Column<Row> => {
    const { label, about } = figureText(name);
    return { id: name, header: label, about, kind: 'count', value: (row) => readCount(row, name) };
  }),
  {
    id: 'conversion',
    header: text.overview.conversion,
    about: text.overview.conversionAbout,
    kind: 'percent',
    value: ({ conversion }) => conversion,
  },
];

interface Props {
  readonly from: string;
  readonly to: string;
  readonly project: number | undefined;
}

export function ByCampaign({ from, to, project }: Props) {
  const [sort, setSort] = useState('-installs');
  const { id } = usePartner();
  const asked = { from, to, ...(project !== undefined && { project_id: project }) };
  const answer = useQuery(trafficByCampaignQuery(id, asked));
  const { data, error, isPending, isPlaceholderData, refetch } = answer;
  return (
    <Panel title={text.overview.byCampaign} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.overview.byCampaign}
          columns={COLUMNS}
          rows={data?.campaigns}
          rowId={(row) => `${row.project_id} ${row.display_id}`}
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
