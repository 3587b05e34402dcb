/** The form of an override: for which event and partner, what is sent, and what is left out. */
import { Button, Checkbox, Drawer, Group, Input, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allPartnersQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { overridesQuery, type Override, type OverrideSettings } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { readMessage } from '../../components/ErrorBox';
import { readFieldErrors } from '../../components/field-errors';
import { FormError } from '../../components/FormError';
import { EventField, isNamed } from '../../components/postbacks/EventField';
import {
  headersProblem,
  REQUEST_FIELDS,
  buildRequest,
  toFormValues,
  type RequestValues,
} from '../../components/postbacks/request';
import { RequestFields } from '../../components/postbacks/RequestFields';
import { TestButton } from '../../components/postbacks/TestButton';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { overrideKey, readMode, MODES, pickSettings, type Mode } from './override';

const text = postbacks.overrides;
const EVERY = '';
const WITHHELD = ['amounts', 'device_ids'] as const;

interface Props {
  /** None for a new one. */
  readonly override: Override | undefined;
  readonly others: readonly Override[];
  readonly onClose: () => void;
}

export function OverrideForm({ override, others, onClose }: Props) {
  const project = useProject();
  const partners = useQuery(allPartnersQuery);
  const [event, setEvent] = useState(override?.event ?? 'install');
  const [partnerId, setPartnerId] = useState<number | null>(override?.partner_id ?? null);
  const [mode, setMode] = useState<Mode>(override ? readMode(override) : 'own');
  const [withhold, setWithhold] = useState<Override['withhold']>(override?.withhold ?? []);
  const [values, setValues] = useState(toFormValues(override));
  const request = buildRequest(values, override);
  const isTaken = others.some((one) => one.event === event && one.partner_id === partnerId);
  const eventProblem = isTaken ? postbacks.form.taken : isNamed(event) ? undefined : postbacks.form.needsName;
  const problem = mode === 'other' ? headersProblem(values) : undefined;
  const save = useMutation({
    mutationFn: (body: OverrideSettings) =>
      unwrapData(
        api.PUT('/admin/v1/projects/{id}/postback_overrides/{event}', {
          params: overrideKey(project.id, { event, partner_id: partnerId }),
          body,
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries(overridesQuery(project.id));
      notifications.show({ message: texts.saved });
      onClose();
    },
  });
  /** What was wrong with the fields before may not be any more. */
  const change = (next: Partial<RequestValues>) => {
    setValues({ ...values, ...next });
    save.reset();
  };
  const errors = readFieldErrors(save.error, ['event', ...(mode === 'other' ? REQUEST_FIELDS : [])]);
  const buildBody = (): OverrideSettings => {
    if (mode === 'own') return { withhold };
    if (mode === 'other') return { ...request, withhold };
    // What was set stays for the day on which it is switched on again.
    return { ...(override && pickSettings(override)), withhold, enabled: false };
  };
  const fields = (
    <>
      <EventField
        value={event}
        readOnly={override !== undefined}
        error={eventProblem ?? errors.event}
        onChange={setEvent}
      />
      <Select
        label={texts.partner}
        description={text.partnerHint}
        data={[
          { value: EVERY, label: text.everyPartner },
          ...(partners.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={String(partnerId ?? EVERY)}
        searchable
        allowDeselect={false}
        disabled={override !== undefined}
        onChange={(id) => setPartnerId(id ? Number(id) : null)}
      />
      <Input.Wrapper label={text.mode} labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          mt={4}
          aria-label={text.mode}
          value={mode}
          data={MODES.map((value) => ({ value, label: text.modes[value] }))}
          onChange={(next) => setMode(next)}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {text.modeHints[mode]}
        </Text>
      </Input.Wrapper>
      {mode !== 'none' && (
        <Checkbox.Group
          label={text.withhold}
          description={text.withholdHint}
          value={withhold}
          onChange={(next) => setWithhold(WITHHELD.filter((one) => next.includes(one)))}
        >
          <Group gap="lg" pt={6}>
            {WITHHELD.map((one) => (
              <Checkbox key={one} value={one} label={text.withheld[one]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={mode === 'other' ? 960 : 480}
      title={text.new}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!eventProblem && !problem) save.mutate(buildBody());
        }}
      >
        <Stack gap="md">
          {save.error && Object.keys(errors).length === 0 && <FormError message={readMessage(save.error)} />}
          {mode === 'other' ? (
            <RequestFields
              place={{ area: 'project', id: project.id }}
              values={values}
              request={request}
              errors={problem ? { ...errors, headers: problem } : errors}
              onChange={change}
            >
              {fields}
            </RequestFields>
          ) : (
            fields
          )}
          <Group justify="flex-end" gap="xs">
            {mode === 'other' && (
              <TestButton
                area="project"
                id={project.id}
                test={{ template: request, withhold, event }}
                name={event}
                disabled={request.url === '' || eventProblem !== undefined || problem !== undefined}
              />
            )}
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
