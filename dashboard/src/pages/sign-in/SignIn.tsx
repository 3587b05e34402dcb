/** Signing in: password, then the code of a second factor; or by a provider. */
import { Anchor, Button, Divider, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { providersQuery } from '../../api/queries';
import { FormError } from '../../components/FormError';
import { readSafePath } from '../../../../src/lib/safe-path';
import { texts } from '../../texts';
import { CenteredCard } from '../CenteredCard';
import { Forgotten } from './Forgotten';
import { CodeForm, PasswordForm, type Credentials } from './forms';

const text = texts.people.signIn;

/** The page is loaded anew, so that everything is asked for as the new user. */
const enter = (to: string) => window.location.assign(to);

export default function SignIn() {
  const search: { to?: string; error?: string; step?: string } = useSearch({ strict: false });
  const to = readSafePath(search.to);
  const [step, setStep] = useState<'password' | 'code' | 'forgotten'>(search.step === 'code' ? 'code' : 'password');
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const providers = useQuery(providersQuery).data;
  if (step === 'forgotten') return <Forgotten hasMail={providers?.mail ?? false} onBack={() => setStep('password')} />;
  if (step === 'code')
    return (
      <CenteredCard title={texts.secondFactor}>
        <CodeForm credentials={credentials} onDone={() => enter(to)} />
        <Anchor component="button" type="button" size="sm" onClick={() => setStep('password')}>
          {text.back}
        </Anchor>
      </CenteredCard>
    );
  return (
    <CenteredCard title={text.title}>
      {search.error !== undefined && (
        <FormError message={search.error === 'uninvited' ? text.uninvited : text.providerFailed} />
      )}
      <PasswordForm
        onDone={() => enter(to)}
        onCode={(given) => {
          setCredentials(given);
          setStep('code');
        }}
      />
      <Anchor component="button" type="button" size="sm" onClick={() => setStep('forgotten')}>
        {text.forgotten}
      </Anchor>
      {providers?.oidc && (
        <>
          <Divider label={<Text size="xs">{text.or}</Text>} />
          <Button component="a" href={`/auth/v1/oidc/start?to=${encodeURIComponent(to)}`} variant="default" fullWidth>
            {text.with(providers.oidc.name)}
          </Button>
        </>
      )}
    </CenteredCard>
  );
}
