/** The form of an alert, with how often it would have fired. */
import { Select, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetAlerts, previewQuery, saveAlert, type Alert, type AlertEntry } from '../../api/alerts';
import { choices } from '../../choices';
import { readMessage } from '../../components/ErrorBox';
import { readFieldErrors } from '../../components/field-errors';
import { FormModal } from '../../components/FormModal';
import { Receivers } from '../../components/receivers/Receivers';
import { useFormats, useMe, useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { texts } from '../../texts';
import { ExportFields } from './ExportFields';
import { FigureFields, type FieldProps } from './FigureFields';
import { ReceiptFields } from './ReceiptFields';
import { readAsked, readEntry, readValues, type Values } from './entry';
import { isOnFigures } from './words';

const MAX_NAME = 255;
const PREVIEW_AFTER_MS = 600;

interface Props {
  /** None for a new one. */
  readonly alert: Alert | undefined;
  readonly onSecrets: (secrets: string[]) => void;
  readonly onClose: () => void;
}

export function AlertForm({ alert, onSecrets, onClose }: Props) {
  const { id } = useProject();
  const { email } = useMe().user;
  const [before] = useState(() => readValues(alert, email));
  const [values, setValues] = useState(before);
  const change = (changes: Partial<Values>) => setValues((now) => ({ ...now, ...changes }));
  const save = useMutation({
    mutationFn: (entry: AlertEntry) => saveAlert(id, alert?.id, entry),
    onSuccess: async ({ secrets }) => {
      await forgetAlerts(id);
      onClose();
      onSecrets(secrets.map(({ secret }) => secret));
      notifications.show({ message: texts.saved });
    },
  });
  const errors = readFieldErrors(save.error, ['name', 'receivers']);
  const asked = readAsked(values);
  return (
    <FormModal
      title={alert ? text.edit : text.create}
      error={Object.keys(errors).length > 0 ? null : save.error}
      isSaving={save.isPending}
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      size="lg"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(readEntry(values));
      }}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        required
        maxLength={MAX_NAME}
        data-autofocus
        error={errors.name}
        value={values.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Select
        label={text.condition}
        allowDeselect={false}
        data={choices(text.types)}
        value={values.type}
        onChange={(type) => type && change({ type })}
      />
      <Fields values={values} onChange={change} />
      {isOnFigures(asked.condition) && <Preview asked={asked} />}
      <Receivers
        value={values.receivers}
        kinds={['email', 'webhook', 'slack']}
        error={errors.receivers}
        onChange={(receivers) => change({ receivers })}
      />
      <Switch
        label={text.on}
        checked={values.enabled}
        onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
      />
    </FormModal>
  );
}

function Fields(props: FieldProps) {
  const { type } = props.values;
  if (type === 'export_late') return <ExportFields {...props} />;
  return isOnFigures({ type }) ? <FigureFields {...props} /> : <ReceiptFields {...props} />;
}

/** Asked a little after the last change. */
function Preview({ asked }: { asked: ReturnType<typeof readAsked> }) {
  const { id } = useProject();
  const { count } = useFormats();
  const [json] = useDebouncedValue(JSON.stringify(asked), PREVIEW_AFTER_MS);
  const { data, error, isFetching } = useQuery(previewQuery(id, JSON.parse(json) as ReturnType<typeof readAsked>));
  const say = () => {
    if (error) return readMessage(error);
    if (isFetching || !data) return text.previewing;
    if (data.days.every(({ state }) => state === 'not_judged')) return text.noPreview;
    if (data.fired === 0) return text.never;
    return text.wouldHave(data.fired === 1 ? text.once : text.times(count(data.fired)));
  };
  return (
    <Text size="sm" c={error ? 'red' : 'dimmed'} role="status" aria-label={text.preview}>
      {say()}
    </Text>
  );
}
