/** The figures of a partner by campaign. */
import { useQuery } from '@tanstack/react-query';
import type { components } from '@adtrail/client';
import { trafficByCampaignQuery } from '../../api/partner';
import type { Column } from '../../components/table-columns';
import { usePartner } from '../../session';
import { FIGURE_COLUMNS, FiguresTable } from './FiguresTable';
import { texts } from '../../texts';
import { partner as text } from '../../texts/partner';

const COLUMNS: readonly Column<components['schemas']['PartnerTrafficByCampaign']['campaigns'][number]>[] = [
  { id: 'campaign', header: texts.campaign, value: ({ name }) => name },
  { id: 'code', header: text.overview.code, value: ({ display_id }) => display_id },
  { id: 'project', header: text.project, value: ({ project }) => project },
  ...FIGURE_COLUMNS,
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
  const asked = { from, to, ...(project !== undefined && { project_id: project }) };
  const answer = useQuery(trafficByCampaignQuery(usePartner().id, asked));
  return (
    <FiguresTable
      title={text.overview.byCampaign}
      columns={COLUMNS}
      answer={answer}
      rows={answer.data?.campaigns}
      rowId={(row) => `${row.project_id} ${row.display_id}`}
      initialSort="-installs"
    />
  );
}
