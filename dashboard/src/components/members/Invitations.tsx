/** Invitations that nobody has followed yet. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Invitation } from '../../api/people';
import { texts } from '../../texts';
import { members as text } from '../../texts/members';
import { Confirm } from '../Confirm';
import { DataTable } from '../DataTable';
import { Panel } from '../Panel';
import type { Column } from '../table-columns';
import { Time } from '../Values';
import { readReason, refreshMembers } from './api';

interface Props {
  readonly invitations: readonly Invitation[];
  readonly mayGive: (role: string) => boolean;
}

export function Invitations({ invitations, mayGive }: Props) {
  const [asked, setAsked] = useState<Invitation>();
  const withdraw = useMutation({
    mutationFn: ({ id }: Invitation) => api.DELETE('/auth/v1/invitations/{id}', { params: { path: { id } } }),
    onSuccess: (_, { email }) => {
      setAsked(undefined);
      notifications.show({ message: text.withdrawn(email) });
      void refreshMembers();
    },
  });
  const columns: Column<Invitation>[] = [
    { id: 'email', header: texts.email, value: ({ email }) => email },
    { id: 'role', header: text.role, value: ({ role }) => texts.people.roles[role] },
    { id: 'by', header: text.invitedBy, value: ({ invited_by }) => invited_by },
    {
      id: 'expires',
      header: text.expires,
      value: (one) => one.expires_at,
      cell: (one) => <Time value={one.expires_at} />,
    },
    {
      id: 'actions',
      header: texts.actions,
      canSort: false,
      value: () => null,
      cell: (one) =>
        mayGive(one.role) && (
          <Button size="compact-xs" variant="default" onClick={() => setAsked(one)}>
            {text.withdraw}
          </Button>
        ),
    },
  ];
  return (
    <Panel title={text.open} about={text.openText} flush>
      <DataTable label={text.open} columns={columns} rows={invitations} rowId={({ id }) => String(id)} />
      <Confirm
        opened={asked !== undefined}
        title={text.withdrawTitle}
        text={text.withdrawText(asked?.email ?? '')}
        action={text.withdraw}
        loading={withdraw.isPending}
        message={withdraw.error ? readReason(withdraw.error) : undefined}
        onConfirm={() => asked && withdraw.mutate(asked)}
        onClose={() => setAsked(undefined)}
      />
    </Panel>
  );
}
