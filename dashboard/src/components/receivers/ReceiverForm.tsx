/** The form of what is sent to receivers: its name, what `children` ask, whom it is sent to, and whether it is on. */
import { Switch, TextInput, type ModalProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Receiver } from '../../api/alerts';
import { MAX_NAME } from '../../api/generated-limits';
import { texts } from '../../texts';
import { readFieldErrors } from '../field-errors';
import { FormModal } from '../FormModal';
import { Receivers, type Edited } from './Receivers';

interface Common {
  readonly name: string;
  readonly receivers: readonly Edited[];
  readonly enabled: boolean;
}

export interface FieldProps<Values> {
  readonly values: Values;
  readonly onChange: (changes: Partial<Values>) => void;
}

interface Props<Values> extends Pick<ModalProps, 'size'> {
  readonly title: string;
  /** What the form begins with; later changes of it are not taken over. */
  readonly initial: Values;
  /** Kinds of receivers that can be added. */
  readonly kinds: readonly Receiver['kind'][];
  /** On the switch. */
  readonly on: string;
  /** False while something is missing without which it cannot be saved. */
  readonly isComplete?: (values: Values) => boolean;
  readonly save: (values: Values) => Promise<void>;
  readonly onClose: () => void;
  readonly children: (fields: FieldProps<Values>) => ReactNode;
}

export function ReceiverForm<Values extends Common>(props: Props<Values>) {
  const { title, initial, kinds, on, isComplete = () => true, save: keep, onClose, children, size } = props;
  const [before] = useState(initial);
  const [values, setValues] = useState(before);
  const change = (changes: Partial<Values>) => setValues((now) => ({ ...now, ...changes }));
  const changeCommon = (changes: Partial<Common>) => change(changes as Partial<Values>);
  const save = useMutation({
    mutationFn: keep,
    onSuccess: () => {
      onClose();
      notifications.show({ message: texts.saved });
    },
  });
  const errors = readFieldErrors(save.error, ['name', 'receivers']);
  return (
    <FormModal
      title={title}
      error={Object.keys(errors).length > 0 ? null : save.error}
      isSaving={save.isPending}
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      size={size}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(values)) save.mutate(values);
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
        onChange={({ currentTarget }) => changeCommon({ name: currentTarget.value })}
      />
      {children({ values, onChange: change })}
      <Receivers
        value={values.receivers}
        kinds={kinds}
        error={errors.receivers}
        onChange={(receivers) => changeCommon({ receivers })}
      />
      <Switch
        label={on}
        checked={values.enabled}
        onChange={({ currentTarget }) => changeCommon({ enabled: currentTarget.checked })}
      />
    </FormModal>
  );
}
