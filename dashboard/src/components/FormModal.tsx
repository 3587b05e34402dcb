/** A form of one thing, in a dialog: to add it or to edit it. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { readMessage } from './ErrorBox';
import { FormError } from './FormError';
import { texts } from '../texts';

interface Props {
  readonly title: string;
  readonly error: unknown;
  readonly isSaving: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const FormModal = ({ title, error, isSaving, onSubmit, onClose, children }: Props) => (
  <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': texts.close }} centered>
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {error !== null && <FormError message={readMessage(error)} />}
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={isSaving}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  </Modal>
);
