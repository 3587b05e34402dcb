/** The public links to a board: made, copied and revoked. */
import { Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { boardLinksQuery, createBoardLink, revokeBoardLink, type Board, type BoardLink } from '../../api/boards';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Secret } from '../../components/Secret';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { texts } from '../../texts';
import { boards } from '../../texts/boards';
import { Modal } from '../../components/layers';

const text = boards.share;
const DAY_MS = 86_400_000;
type Days = keyof typeof text.days;

interface Props {
  readonly projectId: number;
  readonly board: Board;
}

export function ShareBoard({ projectId, board }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconShare2 size={15} />} onClick={() => setOpen(true)}>
        {text.open}
      </Button>
      {isOpen && (
        <Modal
          opened
          size="xl"
          centered
          title={text.title(board.name)}
          onClose={() => setOpen(false)}
          closeButtonProps={{ 'aria-label': texts.close }}
        >
          <Links projectId={projectId} board={board} />
        </Modal>
      )}
    </>
  );
}

function Links({ projectId, board }: Props) {
  const links = useQuery(boardLinksQuery(projectId, board.id));
  const [days, setDays] = useState<Days>('90');
  const make = useMutation({
    mutationFn: () =>
      // A minute less than a year is within a year, whatever the clock here says.
      createBoardLink(projectId, board.id, new Date(Date.now() + Number(days) * DAY_MS - 60_000).toISOString()),
  });
  return (
    <Stack>
      <Text size="sm">{text.about}</Text>
      <Group align="flex-end" gap="xs">
        <Select
          size="xs"
          w={140}
          label={text.expires}
          allowDeselect={false}
          value={days}
          data={(Object.keys(text.days) as Days[]).map((value) => ({ value, label: text.days[value] }))}
          onChange={(value) => setDays(value ?? days)}
        />
        <Button size="xs" loading={make.isPending} onClick={() => make.mutate()}>
          {text.make}
        </Button>
      </Group>
      {make.error && <FormError message={readMessage(make.error)} />}
      {make.data && <Secret title={text.made} value={make.data.url} onClose={() => make.reset()} />}
      {links.error && <ErrorBox error={links.error} onRetry={() => void links.refetch()} />}
      <DataTable
        label={text.links}
        columns={buildColumns((link) => revokeBoardLink(projectId, board.id, link))}
        rows={links.data}
        rowId={({ id }) => String(id)}
        loading={links.isPending}
        skeletons={2}
        maxHeight={320}
        empty={
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        }
      />
    </Stack>
  );
}

function nameState({ revoked_at, expires_at }: BoardLink): string {
  if (revoked_at !== null) return text.revoked;
  return Date.parse(expires_at) <= Date.now() ? text.expired : text.works;
}

const buildColumns = (revoke: (id: number) => Promise<void>): Column<BoardLink>[] => [
  {
    id: 'state',
    header: texts.state,
    value: nameState,
    cell: (link) => (
      <Badge size="sm" variant="light" color={nameState(link) === text.works ? 'brand' : 'gray'}>
        {nameState(link)}
      </Badge>
    ),
  },
  { id: 'by', header: text.by, value: ({ created_by }) => created_by },
  {
    id: 'created',
    header: texts.created,
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'until',
    header: text.until,
    value: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) => <Time value={expires_at} />,
  },
  {
    id: 'revoke',
    header: texts.action,
    value: () => null,
    cell: (link) =>
      nameState(link) === text.works && (
        <ConfirmButton
          label={texts.revoke}
          name={text.revokeNamed(link.id)}
          title={text.revokeTitle}
          text={text.revokeText}
          confirm={texts.revoke}
          done={text.wasRevoked}
          action={() => revoke(link.id)}
        />
      ),
  },
];
