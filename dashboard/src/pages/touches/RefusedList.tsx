/** Refused requests, each with what was sent; a partner opens one in the test bench. */
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toPage } from '../../addresses';
import type { Asker, RefusedRequest } from '../../api/touches';
import { DataTable } from '../../components/DataTable';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { refusalText } from '../../texts/refusals';
import { touches as text } from '../../texts/touches';
import classes from './Touches.module.css';

interface Props {
  readonly asker: Asker;
  readonly rows: readonly RefusedRequest[] | undefined;
  readonly label: string;
  readonly loading?: boolean;
  readonly stale?: boolean;
  readonly empty?: ReactNode;
}

export const RefusedList = ({ asker, rows, label, loading = false, stale = false, empty }: Props) => (
  <DataTable
    label={label}
    columns={buildColumns(asker)}
    rows={rows}
    rowId={({ id }) => String(id)}
    loading={loading}
    stale={stale}
    empty={empty}
  />
);

const buildColumns = (asker: Asker): Column<RefusedRequest>[] => [
  { id: 'when', header: text.when, value: () => null, cell: (one) => <Time value={one.received_at} /> },
  {
    id: 'reason',
    header: text.reason,
    value: () => null,
    cell: ({ reason }) => (
      <Text size="sm" span title={refusalText(reason).help} style={{ whiteSpace: 'nowrap' }}>
        {refusalText(reason).label}
      </Text>
    ),
  },
  ...(asker.area === 'project'
    ? [{ id: 'partner', header: texts.partner, value: ({ partner }: RefusedRequest) => partner.name }]
    : []),
  {
    id: 'campaign',
    header: texts.campaign,
    value: () => null,
    cell: ({ campaign }) => campaign?.name ?? texts.none,
  },
  { id: 'tid', header: 'tid', value: () => null, cell: ({ tid }) => tid ?? texts.none },
  {
    id: 'request',
    header: text.request,
    value: () => null,
    cell: ({ kind, query }) => (
      <span className={classes.request}>
        <b>{text.types[kind]}</b> {readable(query)}
      </span>
    ),
  },
  ...(asker.area === 'partner'
    ? [
        {
          id: 'open',
          header: texts.actions,
          value: () => null,
          cell: (one: RefusedRequest) => <Open {...{ asker, one }} />,
        },
      ]
    : []),
];

/** As people write it: percent signs only where they matter. */
function readable(query: string): string {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join(' ');
}

function Open({ asker, one }: { asker: Asker; one: RefusedRequest }) {
  const formats = useFormats();
  return (
    <Button
      component={Link}
      {...toPage('/partners/$partnerId/test-bench', { partnerId: asker.id }, { mode: 'url', sample: one.id })}
      size="compact-xs"
      variant="default"
      aria-label={text.openNamed(formats.time(one.received_at))}
    >
      {text.open}
    </Button>
  );
}
