/** A button for what cannot be undone: it asks first, and says what happened. */
import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Confirm } from './Confirm';
import { readMessage } from './ErrorBox';

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'color' | 'disabled' | 'leftSection'> {
  /** On the button that opens the question. */
  readonly label: string;
  /** What readers of the screen hear, where several buttons have the same label. */
  readonly name?: string;
  readonly title: string;
  /** What it means. */
  readonly text: ReactNode;
  /** On the button that does it. */
  readonly confirm: string;
  readonly done: string;
  readonly action: () => Promise<unknown>;
}

export function ConfirmButton({ label, name, title, text, confirm, done, action, ...look }: Props) {
  const [isOpen, setOpen] = useState(false);
  const run = useMutation({
    mutationFn: action,
    onSuccess: () => {
      setOpen(false);
      notifications.show({ message: done });
    },
  });
  const open = () => {
    run.reset();
    setOpen(true);
  };
  return (
    <>
      <Button variant="default" size="compact-xs" {...look} onClick={open} aria-label={name}>
        {label}
      </Button>
      <Confirm
        opened={isOpen}
        title={title}
        text={text}
        action={confirm}
        loading={run.isPending}
        message={run.error ? readMessage(run.error) : undefined}
        onConfirm={() => run.mutate()}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
