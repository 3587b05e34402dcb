/** The form of a postback of a partner: its event and the request, with macros to insert and a preview. */
import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import { postbacksQuery, type Postback } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { readMessage } from '../../components/ErrorBox';
import { readFieldErrors } from '../../components/field-errors';
import { FormError } from '../../components/FormError';
import { useCloseGuard } from '../../components/use-close-guard';
import { EventField, eventName, isNamed } from '../../components/postbacks/EventField';
import {
  headersProblem,
  REQUEST_FIELDS,
  buildRequest,
  toFormValues,
  type RequestValues,
} from '../../components/postbacks/request';
import { RequestFields } from '../../components/postbacks/RequestFields';
import { TestButton } from '../../components/postbacks/TestButton';
import { usePartner } from '../../session';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { Drawer } from '../../components/layers';

interface Props {
  /** None for a new one. */
  readonly postback: Postback | undefined;
  readonly others: readonly Postback[];
  readonly onClose: () => void;
}

type Body = ReturnType<typeof buildRequest> & { readonly enabled: boolean };

function useSave(event: string, body: Body, onSaved: () => void) {
  const { id } = usePartner();
  return useMutation({
    mutationFn: () =>
      unwrapData(
        api.PUT('/admin/v1/partners/{id}/postbacks/{event}', {
          params: { path: { id, event } },
          body,
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries(postbacksQuery(id));
      notifications.show({ message: texts.saved });
      onSaved();
    },
  });
}

export function PostbackForm({ postback, others, onClose }: Props) {
  const { id } = usePartner();
  const [event, setEvent] = useState(postback?.event ?? 'install');
  const [values, setValues] = useState(toFormValues(postback));
  const request = buildRequest(values, postback);
  const isTaken = others.some((one) => one.event === event);
  const eventProblem = isTaken ? postbacks.form.taken : isNamed(event) ? undefined : postbacks.form.needsName;
  const problem = headersProblem(values);
  const save = useSave(event, { ...request, enabled: postback?.enabled ?? true }, onClose);
  const given = JSON.stringify([event, values]);
  const [before] = useState(given);
  const guard = useCloseGuard(given !== before && !save.isPending, onClose);
  /** What was wrong with the fields before may not be any more. */
  const change = (next: Partial<RequestValues>) => {
    setValues({ ...values, ...next });
    save.reset();
  };
  const errors = readFieldErrors(save.error, ['event', ...REQUEST_FIELDS]);
  return (
    <Drawer
      opened
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      position="right"
      size={960}
      title={postback ? eventName(postback.event) : postbacks.partner.new}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!eventProblem && !problem) save.mutate();
        }}
      >
        <Stack gap="md">
          {save.error && Object.keys(errors).length === 0 && <FormError message={readMessage(save.error)} />}
          <RequestFields
            place={{ area: 'partner', id }}
            values={values}
            request={request}
            errors={problem ? { ...errors, headers: problem } : errors}
            onChange={change}
          >
            <EventField
              value={event}
              readOnly={postback !== undefined}
              error={eventProblem ?? errors.event}
              onChange={setEvent}
            />
          </RequestFields>
          <Group justify="flex-end" gap="xs">
            <TestButton
              area="partner"
              id={id}
              test={{ template: request, event }}
              name={event}
              disabled={request.url === '' || eventProblem !== undefined || problem !== undefined}
            />
            <Button variant="default" onClick={guard.close}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
      {guard.warning}
    </Drawer>
  );
}
