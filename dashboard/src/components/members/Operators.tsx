/** Who gets into every account and partner beside their members: operators see by name who that is. */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Member } from '../../api/people';
import { useMe } from '../../session';
import { texts } from '../../texts';
import { members as text } from '../../texts/members';
import { DataTable } from '../DataTable';
import { ErrorBox } from '../ErrorBox';
import { Panel } from '../Panel';
import type { Column } from '../table-columns';
import { Time } from '../Values';
import { membersQuery } from './api';
import { Who } from './Who';

export const Operators = () =>
  useMe().operator ? (
    <Listed />
  ) : (
    <Text size="xs" c="dimmed">
      {text.operatorsToo}
    </Text>
  );

function Listed() {
  const { user } = useMe();
  const { data, error, isPending, refetch } = useQuery(membersQuery({}));
  const columns: Column<Member>[] = [
    {
      id: 'name',
      header: texts.name,
      value: ({ name }) => name,
      cell: (one) => <Who member={one} isSelf={one.email === user.email} />,
    },
    {
      id: 'factor',
      header: texts.secondFactor,
      value: ({ second_factor }) => (second_factor ? texts.on : texts.off),
    },
    {
      id: 'seen',
      header: texts.lastSeen,
      value: (one) => one.last_seen_at,
      cell: (one) => (one.last_seen_at ? <Time value={one.last_seen_at} /> : texts.never),
    },
  ];
  return (
    <Panel
      title={text.operators}
      about={text.operatorsText}
      tools={
        <Anchor size="sm" component={Link} to="/installation/members">
          {text.manageOperators}
        </Anchor>
      }
      flush
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.operators}
          columns={columns}
          rows={data?.members}
          rowId={({ id }) => String(id)}
          loading={isPending}
          skeletons={1}
        />
      )}
    </Panel>
  );
}
