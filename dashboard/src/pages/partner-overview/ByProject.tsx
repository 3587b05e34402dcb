/** The figures of a partner by project. */
import { useQuery } from '@tanstack/react-query';
import type { components } from '@adtrail/client';
import { trafficByProjectQuery } from '../../api/partner';
import type { Column } from '../../components/table-columns';
import { usePartner } from '../../session';
import { FIGURE_COLUMNS, FiguresTable } from './FiguresTable';
import { partner as text } from '../../texts/partner';

const COLUMNS: readonly Column<components['schemas']['PartnerTrafficByProject']['projects'][number]>[] = [
  { id: 'project', header: text.project, value: ({ project }) => project },
  { id: 'account', header: text.account, value: ({ account }) => account },
  ...FIGURE_COLUMNS,
];

export function ByProject({ from, to }: { from: string; to: string }) {
  const answer = useQuery(trafficByProjectQuery(usePartner().id, { from, to }));
  return (
    <FiguresTable
      title={text.overview.byProject}
      columns={COLUMNS}
      answer={answer}
      rows={answer.data?.projects}
      rowId={(row) => String(row.project_id)}
      initialSort="-clicks"
    />
  );
}
