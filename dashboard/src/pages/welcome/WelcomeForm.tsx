/** Name and password of a new user, a new password, or the password of somebody who is known. */
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, ApiFailure } from '../../api/client';
import type { LinkLook } from '../../api/people';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { passwordError } from '../../password';
import { texts } from '../../texts';

const text = texts.people.welcome;

interface Values {
  email: string;
  name: string;
  password: string;
  again: string;
  code: string;
}

/** What a link asks for. */
const chooseFields = ({ kind, known }: LinkLook) => ({
  email: kind === 'first',
  name: kind === 'first' || (kind === 'invitation' && !known),
  // A password that exists already is typed only once.
  again: kind !== 'invitation' || !known,
});

export function WelcomeForm({ token, look }: { token: string; look: LinkLook }) {
  const asks = chooseFields(look);
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { email: look.email ?? '', name: '', password: '', again: '', code: '' },
    validate: {
      email: (value) => (asks.email && !/^\S+@\S+\.\S+$/.test(value) ? texts.badEmail : null),
      name: (value) => (asks.name && value.trim() === '' ? text.required : null),
      password: (value) => (asks.again ? passwordError(value) : null),
      again: (value, { password }) => (asks.again && value !== password ? text.passwordsDiffer : null),
    },
  });
  const follow = useMutation({
    mutationFn: ({ email, name, password, code }: Values) =>
      api.POST('/auth/v1/links/follow', {
        body: {
          token,
          password,
          ...(asks.email && { email }),
          ...(asks.name && { name: name.trim() }),
          ...(code && { code }),
        },
      }),
    onSuccess: () => window.location.replace('/'),
  });
  const asksCode = follow.error instanceof ApiFailure && follow.error.body.second_factor === true;
  return (
    <form onSubmit={form.onSubmit((values) => follow.mutate(values))}>
      <Stack gap="sm">
        {follow.error && <FormError message={readMessage(follow.error)} />}
        {look.known && !asks.again && <Text size="sm">{text.known}</Text>}
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="username"
          readOnly={!asks.email}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {asks.name && (
          <TextInput
            label={texts.name}
            autoComplete="name"
            maxLength={100}
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
        )}
        <PasswordInput
          label={texts.people.signIn.password}
          description={asks.again && text.passwordHint}
          autoComplete={asks.again ? 'new-password' : 'current-password'}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {asks.again && (
          <PasswordInput
            label={text.again}
            autoComplete="new-password"
            key={form.key('again')}
            {...form.getInputProps('again')}
          />
        )}
        {asksCode && (
          <TextInput
            label={texts.people.signIn.code}
            autoComplete="one-time-code"
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
        )}
        <Button type="submit" loading={follow.isPending} fullWidth>
          {texts.goOn}
        </Button>
      </Stack>
    </form>
  );
}
