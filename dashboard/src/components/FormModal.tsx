/** A form of one thing, in a dialog: to add it or to edit it. It asks before changes are lost. */
import { Button, Group, Stack, type ModalProps } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { readMessage } from './ErrorBox';
import { FormError } from './FormError';
import { LeaveWarning, LoseChanges } from './LeaveWarning';
import { texts } from '../texts';
import { Modal } from './layers';

interface Props extends Pick<ModalProps, 'size'> {
  readonly title: string;
  readonly error: unknown;
  readonly isSaving: boolean;
  /** Whether something has been changed that closing would lose. */
  readonly isDirty: boolean;
  /** On the button that saves. */
  readonly submit?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormModal({
  title,
  error,
  isSaving,
  isDirty,
  submit = texts.save,
  onSubmit,
  onClose,
  children,
  size,
}: Props) {
  const [asks, setAsks] = useState(false);
  const close = () => (isDirty && !isSaving ? setAsks(true) : onClose());
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={title}
        closeButtonProps={{ 'aria-label': texts.close }}
        centered
        size={size}
        closeOnEscape={!asks}
      >
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            {error !== null && <FormError message={readMessage(error)} />}
            {children}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {texts.cancel}
              </Button>
              <Button type="submit" loading={isSaving}>
                {submit}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <LeaveWarning when={isDirty && !isSaving} />
      <LoseChanges opened={asks} onLose={onClose} onKeep={() => setAsks(false)} />
    </>
  );
}
