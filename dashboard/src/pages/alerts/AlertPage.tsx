/** One alert: how it is, the figure by day, what fired and why, and what became of each message. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { alertQuery, deleteAlert, forgetAlerts, testAlert, testMessages, type Alert } from '../../api/alerts';
import { toPage } from '../../addresses';
import { BackLink } from '../../components/BackLink';
import { ConfirmButton } from '../../components/ConfirmButton';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { ReceiverList } from '../../components/receivers/ReceiverList';
import { Secret } from '../../components/Secret';
import { ValueLink } from '../../components/ValueCell';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { alerts as text, receivers } from '../../texts/alerts';
import { texts } from '../../texts';
import { AlertChart } from './AlertChart';
import { AlertForm } from './AlertForm';
import { Events } from './Events';
import { alertSearch } from './search';
import { State } from './State';
import { describeAlert, explainReason } from './words';

export default function AlertPage() {
  const { alertId = '' }: { alertId?: string } = useParams({ strict: false });
  const { id } = useProject();
  const formats = useFormats();
  const mayChange = useMay('boards');
  const [{ edit }, setView] = useView(alertSearch);
  const [secrets, setSecrets] = useState<string[]>([]);
  const { data: alert, error, refetch } = useQuery(alertQuery(id, Number(alertId)));
  return (
    <PageBody>
      <BackLink {...toPage('/projects/$projectId/alerts', { projectId: id })}>{text.back}</BackLink>
      <PageHeader
        withZone
        title={alert?.name ?? texts.titles.alerts}
        about={alert ? describeAlert(alert, formats) : texts.none}
      >
        {mayChange && alert && <Tools alert={alert} onEdit={() => setView({ edit: alertId })} />}
      </PageHeader>
      {secrets.map((secret) => (
        <Secret key={secret} title={receivers.secret} value={secret} onClose={() => setSecrets([])} />
      ))}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && !alert && <Skeleton h={120} />}
      {alert && (
        <>
          <Summary alert={alert} />
          <AlertChart alert={alert} />
          <Events alertId={alert.id} />
        </>
      )}
      {mayChange && alert && edit === alertId && (
        <AlertForm alert={alert} onSecrets={setSecrets} onClose={() => setView({ edit: undefined })} />
      )}
    </PageBody>
  );
}

function Summary({ alert }: { alert: Alert }) {
  const { state } = alert;
  const { day, time } = useFormats();
  const { source = 'app', dimensions: [dimension] = [] } = alert.question ?? alert.saved?.question ?? {};
  const write = (at: string) => (at.length === 10 ? day(at) : time(at));
  const { range } = state;
  const days = range && (range.from === range.to ? write(range.from) : `${write(range.from)} – ${write(range.to)}`);
  const why = state.state === 'not_judged' || state.state === 'failed' ? explainReason(state.reason) : undefined;
  return (
    <Panel title={text.columns.state}>
      <Stack gap={6} pt="xs">
        <Group gap="xs">
          <State state={state} />
          {days && (
            <Text size="sm" c="dimmed">
              {text.judgedFor(days)}
            </Text>
          )}
        </Group>
        {why && <Text size="sm">{why}</Text>}
        {state.firing
          .filter(({ label }) => label !== '')
          .map(({ value, label, since }) => (
            <Text key={value} size="sm">
              {dimension === undefined ? label : <ValueLink {...{ source, dimension, value, name: label }} />}{' '}
              <Text span c="dimmed" size="xs">
                {time(since)}
              </Text>
            </Text>
          ))}
        <Group gap="xs" align="baseline">
          <Text size="sm" c="dimmed">
            {text.columns.receivers}
          </Text>
          <ReceiverList all={alert.receivers} />
        </Group>
      </Stack>
    </Panel>
  );
}

function Tools({ alert, onEdit }: { alert: Alert; onEdit: () => void }) {
  const { id } = useProject();
  const navigate = useNavigate();
  const fail = (error: Error) => notifications.show({ color: 'red', message: readMessage(error) });
  const judge = useMutation({
    mutationFn: () => testAlert(id, alert.id),
    onSuccess: ({ state, reason, values }) => {
      const states = values.map((one) => one.state);
      const found = states.includes('breach') ? 'breach' : states.includes('fine') ? 'fine' : 'not_judged';
      const why = state === 'waiting' ? reason : (values[0]?.reason ?? null);
      const more = found === 'not_judged' ? ` ${explainReason(why) ?? ''}` : '';
      notifications.show({ message: `${text.judgedNow[found]}${more}` });
    },
    onError: fail,
  });
  const message = useMutation({
    mutationFn: () => testMessages(id, alert.id),
    onSuccess: ({ messages }) => {
      const failed = messages.filter(({ state }) => state === 'failed');
      const why = failed.map(({ to, error }) => `${to}: ${error}`).join('; ');
      const said = text.tested(messages.length - failed.length, messages.length);
      notifications.show({
        ...(failed.length > 0 ? { color: 'red' } : {}),
        message: why === '' ? said : `${said} ${why}`,
      });
    },
    onError: fail,
  });
  return (
    <>
      <Button size="xs" variant="default" loading={judge.isPending} onClick={() => judge.mutate()}>
        {text.testNow}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={message.isPending}
        disabled={alert.receivers.length === 0}
        onClick={() => message.mutate()}
      >
        {text.testMessage}
      </Button>
      <Button size="xs" variant="default" onClick={onEdit}>
        {texts.edit}
      </Button>
      <ConfirmButton
        size="xs"
        label={texts.delete}
        title={text.deleteTitle(alert.name)}
        text={text.deleteText}
        confirm={texts.delete}
        done={text.deleted}
        action={async () => {
          await deleteAlert(id, alert.id);
          await navigate(toPage('/projects/$projectId/alerts', { projectId: id }));
          await forgetAlerts(id);
        }}
      />
    </>
  );
}
