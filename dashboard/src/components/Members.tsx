/** Who is a member of an account, a partner or the installation, and who is invited; with what can be changed there. */
import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import type { Member } from '../api/people';
import { useMe } from '../session';
import { texts } from '../texts';
import { members as text } from '../texts/members';
import { DataTable } from './DataTable';
import { EmptyState } from './EmptyState';
import { ErrorBox } from './ErrorBox';
import { membersQuery, readReason, refreshMembers, type MembersPlace } from './members/api';
import { Invitations } from './members/Invitations';
import { Invite } from './members/Invite';
import { LinkOnce, type ShownLink } from './members/LinkOnce';
import { MemberMenu } from './members/MemberMenu';
import { Operators } from './members/Operators';
import { Who } from './members/Who';
import { Panel } from './Panel';
import type { Column } from './table-columns';
import { Time } from './Values';

interface Props {
  /** `{account_id}`, `{partner_id}`, or `{}` for the installation. */
  readonly place: MembersPlace;
  /** The roles that the user may give, change and take away here; the greatest first. */
  readonly roles: readonly Member['role'][];
}

export function Members({ place, roles }: Props) {
  const { user } = useMe();
  const { data, error, isPending, refetch } = useQuery(membersQuery(place));
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  const mayGive = (role: string) => roles.some((one) => one === role);
  const columns: Column<Member>[] = [
    {
      id: 'name',
      header: texts.name,
      value: ({ name }) => name,
      cell: (one) => <Who member={one} isSelf={one.email === user.email} />,
    },
    {
      id: 'role',
      header: text.role,
      value: ({ role }) => role,
      cell: (one) =>
        mayGive(one.role) && roles.length > 1 ? <Role member={one} roles={roles} /> : texts.people.roles[one.role],
    },
    {
      id: 'factor',
      header: texts.secondFactor,
      value: ({ second_factor }) => (second_factor ? texts.on : texts.off),
    },
    { id: 'since', header: text.since, value: (one) => one.created_at, cell: (one) => <Time value={one.created_at} /> },
    {
      id: 'seen',
      header: texts.lastSeen,
      value: (one) => one.last_seen_at,
      cell: (one) => (one.last_seen_at ? <Time value={one.last_seen_at} /> : texts.never),
    },
    {
      id: 'actions',
      header: texts.actions,
      canSort: false,
      value: () => null,
      cell: (one) =>
        mayGive(one.role) && <MemberMenu member={one} isSelf={one.email === user.email} onLink={setLink} />,
    },
  ];
  const invite = (
    <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={() => setInviting(true)}>
      {text.invite}
    </Button>
  );
  return (
    <>
      <Panel title={texts.titles.members} tools={roles.length > 0 && invite} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={texts.titles.members}
            columns={columns}
            rows={data?.members}
            rowId={({ id }) => String(id)}
            loading={isPending}
            skeletons={3}
            empty={<EmptyState title={text.alone} text={text.aloneText} />}
          />
        )}
      </Panel>
      {data && data.invitations.length > 0 && <Invitations invitations={data.invitations} mayGive={mayGive} />}
      {Object.keys(place).length > 0 && <Operators />}
      <Invite place={place} roles={roles} opened={isInviting} onClose={() => setInviting(false)} onLink={setLink} />
      <LinkOnce shown={link} onClose={() => setLink(undefined)} />
    </>
  );
}

function Role({ member: { id, name, role }, roles }: { member: Member; roles: Props['roles'] }) {
  const change = useMutation({
    mutationFn: (next: Member['role']) =>
      api.PUT('/auth/v1/members/{id}/role', { params: { path: { id } }, body: { role: next } }),
    onSuccess: (_, next) => {
      notifications.show({ message: text.roleChanged(name, texts.people.roles[next] ?? next) });
      void refreshMembers();
    },
    onError: (error) => notifications.show({ color: 'red', message: readReason(error) }),
  });
  return (
    <Select
      size="xs"
      w={150}
      aria-label={text.roleNamed(name)}
      allowDeselect={false}
      disabled={change.isPending}
      value={change.isPending ? change.variables : role}
      data={roles.map((one) => ({ value: one, label: texts.people.roles[one] ?? one }))}
      onChange={(next) => next && next !== role && change.mutate(next)}
    />
  );
}
