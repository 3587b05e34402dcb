/** The tokens of a partner: a new one, shown once, and an end to all. */
import { Badge, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import type { components } from '@adtrail/client';
import { tokensQuery } from '../../api/partner';
import { queryClient } from '../../api/queries';
import { Confirm } from '../../components/Confirm';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { NewSecret } from '../../components/NewSecret';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useFormats, usePartner } from '../../session';
import { partner as partnerTexts } from '../../texts/partner';
import { texts } from '../../texts';

const text = partnerTexts.credentials;
type Token = components['schemas']['PartnerToken'];
type State = keyof typeof text.states;
const COLORS = { current: 'green', former: 'yellow', expired: 'gray', revoked: 'gray' } as const;

function readState({ valid_until, revoked_at }: Token): State {
  if (revoked_at !== null) return 'revoked';
  if (valid_until === null) return 'current';
  return Date.parse(valid_until) > Date.now() ? 'former' : 'expired';
}

const columns: Column<Token>[] = [
  { id: 'id', header: text.id, value: ({ id }) => String(id) },
  {
    id: 'state',
    header: texts.state,
    value: readState,
    cell: (one) => (
      <Badge size="sm" variant="dot" tt="none" fw={500} color={COLORS[readState(one)]}>
        {text.states[readState(one)]}
      </Badge>
    ),
  },
  {
    id: 'created',
    header: texts.created,
    value: (one) => one.created_at,
    cell: (one) => <Time value={one.created_at} />,
  },
  {
    id: 'ends',
    header: `${text.ends} (UTC)`,
    value: (one) => one.revoked_at ?? one.valid_until,
    cell: (one) => {
      const end = one.revoked_at ?? one.valid_until;
      return end === null ? text.noEnd : <Time value={end} />;
    },
  },
];

/** What is asked for, and what makes a new token or revokes all of them. */
function useTokenChanges(id: number) {
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const close = () => setAsked(undefined);
  const refresh = () => queryClient.invalidateQueries(tokensQuery(id));
  const params = { path: { id } };
  const rotate = useMutation({
    mutationFn: () => unwrapData(api.POST('/admin/v1/partners/{id}/tokens', { params })),
    onSuccess: () => {
      close();
      void refresh();
    },
  });
  const revoke = useMutation({
    mutationFn: () => api.DELETE('/admin/v1/partners/{id}/tokens', { params }),
    onSuccess: () => {
      close();
      notifications.show({ message: text.revoked });
      void refresh();
    },
  });
  return { asked, setAsked, close, rotate, revoke };
}

export function Tokens() {
  const { id } = usePartner();
  const formats = useFormats();
  const { data, error, isPending, refetch } = useQuery(tokensQuery(id));
  const { asked, setAsked, close, rotate, revoke } = useTokenChanges(id);
  const former = rotate.data?.former_valid_until;
  const tokens = data && [...data.tokens].reverse();
  const states = tokens?.map(readState) ?? [];
  const works = states.includes('current') || states.includes('former');
  const tools = (
    <>
      {works && (
        <Button size="xs" variant="default" onClick={() => setAsked('revoke')}>
          {text.revoke}
        </Button>
      )}
      <Button size="xs" onClick={() => setAsked('rotate')}>
        {text.rotate}
      </Button>
    </>
  );
  return (
    <Panel title={text.tokens} about={text.tokensAbout} tools={data && tools} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.tokens}
          columns={columns}
          rows={tokens}
          rowId={(one) => String(one.id)}
          loading={isPending}
          skeletons={2}
          empty={<EmptyState title={text.none} text={text.noneText} />}
        />
      )}
      <Confirm
        opened={asked === 'rotate'}
        title={text.rotateTitle}
        text={states.includes('current') ? text.rotateText : text.first}
        action={texts.makeIt}
        color="brand"
        loading={rotate.isPending}
        message={rotate.error ? readMessage(rotate.error) : undefined}
        onConfirm={() => rotate.mutate()}
        onClose={close}
      />
      <Confirm
        opened={asked === 'revoke'}
        title={text.revokeTitle}
        text={text.revokeText}
        action={text.revoke}
        loading={revoke.isPending}
        message={revoke.error ? readMessage(revoke.error) : undefined}
        onConfirm={() => revoke.mutate()}
        onClose={close}
      />
      <NewSecret
        title={text.newTitle}
        text={text.newText}
        secret={rotate.data?.token}
        former={former && text.former(`${formats.time(former)} UTC`)}
        onClose={rotate.reset}
      />
    </Panel>
  );
}
