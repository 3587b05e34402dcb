/** One's own name, password, second factor and sessions. */
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { meQuery, queryClient, sessionsQuery } from '../../api/queries';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { LeaveWarning } from '../../components/LeaveWarning';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { passwordError } from '../../password';
import { useMe } from '../../session';
import { texts } from '../../texts';
import { SecondFactor } from './SecondFactor';
import { Sessions } from './Sessions';

const text = texts.people.profile;
const WIDTH = 420;

export default function Profile() {
  const { user } = useMe();
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.profile} about={user.email} />
      <Panel title={texts.name}>
        <NameForm name={user.name} />
      </Panel>
      <Panel title={texts.people.signIn.password} about={text.passwordText}>
        <PasswordForm />
      </Panel>
      <Panel title={texts.secondFactor}>
        <SecondFactor isOn={user.second_factor} hasPassword={user.password} />
      </Panel>
      <Sessions />
    </PageBody>
  );
}

function NameForm({ name }: { name: string }) {
  const form = useForm({ initialValues: { name } });
  const save = useMutation({
    mutationFn: (body: { name: string }) => unwrapData(api.PUT('/auth/v1/me/name', { body })),
    onSuccess: (me) => {
      queryClient.setQueryData(meQuery.queryKey, me);
      form.resetDirty();
      notifications.show({ message: text.nameSaved });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="xs" mt="sm" maw={WIDTH}>
        <LeaveWarning when={form.isDirty() && !save.isPending} />
        {save.error && <FormError message={readMessage(save.error)} />}
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            aria-label={texts.name}
            autoComplete="name"
            required
            maxLength={100}
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PasswordForm() {
  const form = useForm({
    initialValues: { current: '', password: '' },
    validate: { password: passwordError },
  });
  const save = useMutation({
    mutationFn: (body: { current: string; password: string }) => api.PUT('/auth/v1/me/password', { body }),
    onSuccess: () => {
      form.reset();
      void queryClient.invalidateQueries(sessionsQuery);
      notifications.show({ message: text.passwordSaved });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="xs" mt="sm" maw={WIDTH}>
        <LeaveWarning when={form.isDirty() && !save.isPending} />
        {save.error && <FormError message={readMessage(save.error)} />}
        <PasswordInput
          label={text.current}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label={text.next}
          description={texts.people.welcome.passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {text.change}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
