/** A new password by a link that is mailed. */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { texts } from '../../texts';
import { CenteredCard } from '../CenteredCard';

const text = texts.people.signIn;

export function Forgotten({ hasMail, onBack }: { hasMail: boolean; onBack: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const send = useMutation({
    mutationFn: (body: { email: string }) => api.POST('/auth/v1/password-link', { body }),
  });
  return (
    <CenteredCard title={texts.people.welcome.newPassword}>
      <Text size="sm">{hasMail ? text.forgottenText : text.forgottenNoMail}</Text>
      {send.isSuccess && (
        <Text size="sm" role="status" fw={600}>
          {text.forgottenSent}
        </Text>
      )}
      {hasMail && !send.isSuccess && (
        <form onSubmit={form.onSubmit((values) => send.mutate(values))}>
          <Stack gap="sm">
            {send.error && <FormError message={readMessage(send.error)} />}
            <TextInput
              label={texts.email}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={send.isPending} fullWidth>
              {text.forgottenSubmit}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {text.back}
      </Anchor>
    </CenteredCard>
  );
}
