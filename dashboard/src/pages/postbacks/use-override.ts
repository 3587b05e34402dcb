/** What is filled in of an override, what is wrong with it, and how it is saved. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import { overridesQuery, type Override, type OverrideSettings } from '../../api/postbacks';
import { queryClient } from '../../api/queries';
import { readFieldErrors } from '../../components/field-errors';
import { isNamed } from '../../components/postbacks/EventField';
import {
  buildRequest,
  headersProblem,
  REQUEST_FIELDS,
  toFormValues,
  type RequestValues,
} from '../../components/postbacks/request';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { overrideKey, pickSettings, readMode, type Mode } from './override';

export interface OverrideProps {
  /** None for a new one. */
  readonly override: Override | undefined;
  readonly others: readonly Override[];
  readonly onClose: () => void;
}

export type OverrideState = ReturnType<typeof useOverride>;

export function useOverride(projectId: number, { override, others, onClose }: OverrideProps) {
  const [event, setEvent] = useState(override?.event ?? 'install');
  const [partnerId, setPartnerId] = useState<number | null>(override?.partner_id ?? null);
  const [mode, setMode] = useState<Mode>(override ? readMode(override) : 'own');
  const [withhold, setWithhold] = useState<Override['withhold']>(override?.withhold ?? []);
  const [values, setValues] = useState(toFormValues(override));
  const given = JSON.stringify([event, partnerId, mode, withhold, values]);
  const [before] = useState(given);
  const request = buildRequest(values, override);
  const isTaken = others.some((one) => one.event === event && one.partner_id === partnerId);
  const eventProblem = isTaken ? postbacks.form.taken : isNamed(event) ? undefined : postbacks.form.needsName;
  const problem = mode === 'other' ? headersProblem(values) : undefined;
  const save = useMutation({
    mutationFn: (body: OverrideSettings) =>
      unwrapData(
        api.PUT('/admin/v1/projects/{id}/postback_overrides/{event}', {
          params: overrideKey(projectId, { event, partner_id: partnerId }),
          body,
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries(overridesQuery(projectId));
      notifications.show({ message: texts.saved });
      onClose();
    },
  });
  const buildBody = (): OverrideSettings => {
    if (mode === 'own') return { withhold };
    if (mode === 'other') return { ...request, withhold };
    // What was set stays for the day on which it is switched on again.
    return { ...(override && pickSettings(override)), withhold, enabled: false };
  };
  const errors = readFieldErrors(save.error, ['event', ...(mode === 'other' ? REQUEST_FIELDS : [])]);
  return {
    isNew: override === undefined,
    /** Whether something differs from what was there as it was opened. */
    isDirty: given !== before,
    event,
    setEvent,
    partnerId,
    setPartnerId,
    mode,
    setMode,
    withhold,
    setWithhold,
    values,
    /** What was wrong with the fields before may not be any more. */
    change: (next: Partial<RequestValues>) => {
      setValues({ ...values, ...next });
      save.reset();
    },
    request,
    /** By field. */
    errors: { ...errors, event: eventProblem ?? errors.event, headers: problem ?? errors.headers },
    /** What no field of the form shows. */
    error: Object.keys(errors).length === 0 ? save.error : null,
    isReady: !eventProblem && !problem,
    isSaving: save.isPending,
    submit: () => {
      if (!eventProblem && !problem) save.mutate(buildBody());
    },
  };
}
