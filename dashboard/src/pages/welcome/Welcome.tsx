/** Where a link leads: the first operator, an invitation, a new password. Its token is in the fragment. */
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiFailure, unwrapData } from '../../api/client';
import type { LinkLook } from '../../api/people';
import { ErrorBox } from '../../components/ErrorBox';
import { texts } from '../../texts';
import { CenteredCard } from '../CenteredCard';
import { WelcomeForm } from './WelcomeForm';

const text = texts.people.welcome;

function chooseHead(look: LinkLook): { title: string; about: string } {
  if (look.kind === 'first') return { title: text.first, about: text.firstText };
  if (look.kind === 'password') return { title: text.newPassword, about: text.newPasswordText };
  const role = texts.people.roles[look.role ?? ''] ?? look.role ?? '';
  return { title: text.invitation(look.place ?? texts.product), about: text.invitationText(role) };
}

export default function Welcome() {
  const [token] = useState(() => window.location.hash.slice(1));
  const look = useQuery({
    queryKey: ['link', token],
    queryFn: () => unwrapData(api.POST('/auth/v1/links/look', { body: { token } })),
    enabled: token !== '',
    gcTime: 0,
  });
  const isGone = token === '' || (look.error instanceof ApiFailure && [400, 404].includes(look.error.status));
  if (isGone)
    return (
      <CenteredCard title={text.gone}>
        <Text size="sm">{text.goneText}</Text>
        <Anchor href="/sign-in" size="sm">
          {text.toSignIn}
        </Anchor>
      </CenteredCard>
    );
  if (look.error)
    return (
      <CenteredCard title={texts.product}>
        <ErrorBox error={look.error} onRetry={() => void look.refetch()} />
      </CenteredCard>
    );
  if (!look.data)
    return (
      <CenteredCard title={texts.loading}>
        <Skeleton height={180} />
      </CenteredCard>
    );
  const { title, about } = chooseHead(look.data);
  return (
    <CenteredCard title={title}>
      <Text size="sm">{about}</Text>
      <WelcomeForm token={token} look={look.data} />
    </CenteredCard>
  );
}
