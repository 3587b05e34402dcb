/** The boards of a project. */
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { toPage } from '../../addresses';
import { boardsQuery, type ListedBoard } from '../../api/boards';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { boards as text } from '../../texts/boards';
import { NewBoard } from './NewBoard';

const buildColumns = (projectId: number): Column<ListedBoard>[] => [
  {
    id: 'name',
    header: texts.name,
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Anchor
        component={Link}
        {...toPage('/projects/$projectId/boards/$boardId', { projectId, boardId: id })}
        inherit
        fw={500}
      >
        {name}
      </Anchor>
    ),
  },
  { id: 'items', header: text.columns.items, value: ({ items }) => text.items(items) },
  { id: 'links', header: text.columns.shared, value: ({ links }) => (links === 0 ? null : text.shared(links)) },
  { id: 'by', header: text.columns.by, value: ({ created_by }) => created_by },
  {
    id: 'changed',
    header: text.columns.changed,
    value: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];

export default function Boards() {
  const { id } = useProject();
  const mayMake = useMay('boards');
  const [isOpen, setOpen] = useState(false);
  const { data, error, isPending, refetch } = useQuery(boardsQuery(id));
  const columns = useMemo(() => buildColumns(id), [id]);
  const open = mayMake && (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setOpen(true)}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.boards} about={text.about}>
        {open}
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Panel title={texts.titles.boards} flush>
        <DataTable
          label={texts.titles.boards}
          columns={columns}
          rows={data}
          rowId={(board) => String(board.id)}
          loading={isPending && !error}
          empty={
            <EmptyState title={text.none} text={mayMake ? text.noneText : text.noneForReaders}>
              {open}
            </EmptyState>
          }
        />
      </Panel>
      {isOpen && <NewBoard projectId={id} onClose={() => setOpen(false)} />}
    </PageBody>
  );
}
