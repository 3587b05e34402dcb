/** The two forms of signing in. */
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, ApiFailure } from '../../api/client';
import { FormError } from '../../components/FormError';
import { texts } from '../../texts';

const text = texts.people.signIn;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

function readMessage(error: Error, wrong: string): string {
  if (!(error instanceof ApiFailure) || error.status === 0) return text.unreachable;
  if (error.status === 429) return text.limited;
  return error.status === 401 ? wrong : error.message;
}

const needsCode = (error: Error) => error instanceof ApiFailure && error.body.second_factor === true;

const signIn = (body: Credentials & { code?: string }) => api.POST('/auth/v1/sign-in', { body });

interface PasswordProps {
  readonly onDone: () => void;
  /** The password is right, a code is needed too. */
  readonly onCode: (credentials: Credentials) => void;
}

export function PasswordForm({ onDone, onCode }: PasswordProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const submit = useMutation({
    mutationFn: signIn,
    onSuccess: onDone,
    onError: (error, credentials) => needsCode(error) && onCode(credentials),
  });
  return (
    <form onSubmit={form.onSubmit((values) => submit.mutate(values))}>
      <Stack gap="sm">
        {submit.error && !needsCode(submit.error) && <FormError message={readMessage(submit.error, text.failed)} />}
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={text.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={submit.isPending} fullWidth>
          {texts.people.signIn.title}
        </Button>
      </Stack>
    </form>
  );
}

/** After the password, or with null after the provider. */
export function CodeForm({ credentials, onDone }: { credentials: Credentials | null; onDone: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const submit = useMutation({
    mutationFn: async (values: { code: string }) => {
      const code = values.code.trim();
      await (credentials ? signIn({ ...credentials, code }) : api.POST('/auth/v1/oidc/code', { body: { code } }));
    },
    onSuccess: onDone,
  });
  return (
    <form onSubmit={form.onSubmit((values) => submit.mutate(values))}>
      <Stack gap="sm">
        {submit.error && <FormError message={readMessage(submit.error, text.codeFailed)} />}
        <TextInput
          label={text.code}
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          maxLength={40}
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={submit.isPending} fullWidth>
          {texts.people.signIn.title}
        </Button>
      </Stack>
    </form>
  );
}
