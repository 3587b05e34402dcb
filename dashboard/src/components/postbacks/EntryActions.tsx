/** What can be done with something that is sent: switch it on or off, edit it, delete it. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { postbacks as text } from '../../texts/postbacks';
import { ConfirmButton } from '../ConfirmButton';
import { readMessage } from '../ErrorBox';
import { isOn, type State } from './Entries';
import { texts } from '../../texts';

interface Props {
  /** What readers of the screen hear beside the name of the action. */
  readonly name: string;
  readonly state: State;
  /** What deleting it means. */
  readonly title: string;
  readonly about: string;
  /** Switches it on or off; none where it cannot be. */
  readonly onSwitch: ((enabled: boolean) => Promise<unknown>) | undefined;
  readonly onEdit: () => void;
  readonly onRemove: () => Promise<unknown>;
  /** More buttons, before the last. */
  readonly children?: ReactNode;
}

export function EntryActions({ name, state, title, about, onSwitch, onEdit, onRemove, children }: Props) {
  const wanted = !isOn(state);
  const change = useMutation({
    mutationFn: async () => onSwitch?.(wanted),
    onSuccess: () => notifications.show({ message: wanted ? text.switchedOn : text.switchedOff }),
    onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
  });
  const label = wanted ? text.switchOn : text.switchOff;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={onEdit} aria-label={text.of(texts.edit, name)}>
        {texts.edit}
      </Button>
      {onSwitch && (
        <Button
          size="compact-xs"
          variant={wanted ? 'light' : 'default'}
          loading={change.isPending}
          onClick={() => change.mutate()}
          aria-label={text.of(label, name)}
        >
          {label}
        </Button>
      )}
      {children}
      <ConfirmButton
        label={texts.delete}
        name={text.of(texts.delete, name)}
        title={title}
        text={about}
        confirm={texts.delete}
        done={text.removed}
        action={onRemove}
      />
    </>
  );
}
