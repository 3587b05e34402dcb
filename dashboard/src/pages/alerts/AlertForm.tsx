/** The form of an alert, with how often it would have fired. */
import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { forgetAlerts, previewQuery, saveAlert, type Alert } from '../../api/alerts';
import { choices } from '../../choices';
import { readMessage } from '../../components/ErrorBox';
import { ReceiverForm } from '../../components/receivers/ReceiverForm';
import { useFormats, useMe, useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { ExportFields } from './ExportFields';
import { FigureFields, type FieldProps } from './FigureFields';
import { ReceiptFields } from './ReceiptFields';
import { readAsked, readEntry, readValues } from './entry';
import { isOnFigures } from './words';

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
  return (
    <ReceiverForm
      title={alert ? text.edit : text.create}
      initial={readValues(alert, email)}
      kinds={['email', 'webhook', 'slack']}
      on={text.on}
      size="lg"
      save={async (values) => {
        const { secrets } = await saveAlert(id, alert?.id, readEntry(values));
        await forgetAlerts(id);
        onSecrets(secrets.map(({ secret }) => secret));
      }}
      onClose={onClose}
    >
      {(fields) => <Fields {...fields} />}
    </ReceiverForm>
  );
}

function Fields(fields: FieldProps) {
  const { values, onChange } = fields;
  const { type } = values;
  return (
    <>
      <Select
        label={text.condition}
        allowDeselect={false}
        data={choices(text.types)}
        value={type}
        onChange={(next) => next && onChange({ type: next })}
      />
      {isOnFigures({ type }) ? (
        <>
          <FigureFields {...fields} />
          <Preview asked={readAsked(values)} />
        </>
      ) : type === 'export_late' ? (
        <ExportFields {...fields} />
      ) : (
        <ReceiptFields {...fields} />
      )}
    </>
  );
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
