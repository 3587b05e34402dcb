/** What a partner may do in a project; changed by who may change settings. */
import { Button, Group, MultiSelect, NumberInput, Skeleton, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { LeaveWarning } from '../../components/LeaveWarning';
import { Panel } from '../../components/Panel';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { appsQuery, NOTHING_ON, switchesQuery } from './questions';
import { partners as partnersTexts } from '../../texts/partners';

const text = partnersTexts.switches;
const MAX_WINDOW = 24;
type Values = typeof NOTHING_ON;

export function Switches({ partnerId, name }: { partnerId: number; name: string }) {
  const project = useProject();
  const mayChange = useMay('settings');
  const { data, error, isPending, refetch } = useQuery(switchesQuery(project.id));
  const stored = data?.partners.find((one) => one.partner_id === partnerId);
  return (
    <Panel title={text.title} about={mayChange ? text.about : text.readOnly}>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={300} mt="sm" />}
      {data && <SwitchForm partnerId={partnerId} name={name} stored={toFormValues(stored)} mayChange={mayChange} />}
    </Panel>
  );
}

/** Only what can be changed: the answer says more. */
const toFormValues = (one: Values = NOTHING_ON): Values => ({
  s2s_clicks: one.s2s_clicks,
  s2s_traffic: one.s2s_traffic,
  view_through: one.view_through,
  ctv_apps: one.ctv_apps,
  view_window_hours: one.view_window_hours,
});

interface FormProps {
  readonly partnerId: number;
  readonly name: string;
  readonly stored: Values;
  readonly mayChange: boolean;
}

/** The form of the switches, and what saves it. */
function useSwitches({ partnerId, name, stored }: Omit<FormProps, 'mayChange'>) {
  const project = useProject();
  const form = useForm<Values>({
    initialValues: stored,
    validate: {
      view_window_hours: (hours) =>
        hours === stored.view_window_hours || (Number.isInteger(hours) && hours >= 1 && hours <= MAX_WINDOW)
          ? null
          : text.badWindow,
    },
  });
  const save = useMutation({
    mutationFn: (body: Values) =>
      unwrapData(
        api.PUT('/admin/v1/projects/{id}/partners/{partner_id}', {
          params: { path: { id: project.id, partner_id: partnerId } },
          body,
        }),
      ),
    onSuccess: (answer) => {
      const values = toFormValues(answer);
      form.setInitialValues(values);
      form.setValues(values);
      notifications.show({ message: text.saved(name) });
      void queryClient.invalidateQueries(switchesQuery(project.id));
      void queryClient.invalidateQueries({ queryKey: ['partner-quality', project.id] });
    },
  });
  return { form, save };
}

function SwitchForm({ mayChange, ...about }: FormProps) {
  const apps = useQuery(appsQuery(useProject().id));
  const { form, save } = useSwitches(about);
  const needs = form.values.s2s_traffic ? null : text.needsImpressions;
  const toggle = (field: 's2s_clicks' | 's2s_traffic' | 'view_through', isLost = false) => (
    <Switch
      label={text[field]}
      description={isLost && form.values[field] ? `${text[`${field}About`]} ${needs}` : text[`${field}About`]}
      disabled={!mayChange}
      {...form.getInputProps(field, { type: 'checkbox' })}
    />
  );
  const choices = apps.data?.apps.map(({ app_id }) => app_id) ?? [];
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="md" mt="sm">
        <LeaveWarning when={form.isDirty() && !save.isPending} />
        {save.error && <FormError message={readMessage(save.error)} />}
        {toggle('s2s_clicks')}
        {toggle('s2s_traffic')}
        {toggle('view_through', needs !== null)}
        <NumberInput
          label={text.window}
          description={text.windowAbout}
          min={1}
          max={MAX_WINDOW}
          suffix={text.hours}
          allowDecimal={false}
          maw={420}
          disabled={!mayChange}
          {...form.getInputProps('view_window_hours')}
        />
        <MultiSelect
          label={text.ctv}
          description={text.ctvAbout}
          placeholder={form.values.ctv_apps.length === 0 ? text.ctvNone : undefined}
          data={[...new Set([...choices, ...form.values.ctv_apps])]}
          maw={420}
          disabled={!mayChange}
          {...form.getInputProps('ctv_apps')}
        />
        {mayChange && (
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {texts.save}
            </Button>
            {form.isDirty() && (
              <Button variant="default" onClick={form.reset}>
                {texts.undo}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
