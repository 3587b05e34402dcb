/** What the forms of links have in common: the drawer that asks before changes are lost, and fields. */
import { Autocomplete, Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Drawer } from '../../components/layers';
import { useCloseGuard } from '../../components/use-close-guard';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { fieldText } from './form';
import { choicesQuery } from './queries';

export interface DrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** What a form in the drawer is given. */
export interface InDrawer {
  /** Closes it, after a question where changes would be lost. */
  readonly onClose: () => void;
  readonly onDirty: (isDirty: boolean) => void;
}

interface Props extends DrawerProps {
  readonly title: string;
  readonly children: (inDrawer: InDrawer) => ReactNode;
}

export function LinkDrawer({ isOpen, onClose, title, children }: Props) {
  const [isDirty, setDirty] = useState(false);
  const guard = useCloseGuard(isDirty, onClose);
  return (
    <Drawer
      opened={isOpen}
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      position="right"
      size="lg"
      title={title}
    >
      {children({ onClose: guard.close, onDirty: setDirty })}
      {guard.warning}
    </Drawer>
  );
}

/** A form of `useForm` with a field of this name. */
interface WithField<Name extends string> {
  readonly getInputProps: (name: Name) => object;
}

export function ChannelField({ form }: { readonly form: WithField<'channel'> }) {
  const { data } = useQuery(choicesQuery(useProject().id));
  return (
    <Autocomplete
      {...fieldText('channel')}
      data={(data?.channels ?? []).map(({ name }) => name)}
      {...form.getInputProps('channel')}
    />
  );
}

type Target = 'website' | 'ios_web_redirect' | 'android_web_redirect';

interface TargetProps<Name extends Target> {
  readonly form: WithField<Name>;
  readonly name: Name;
  readonly disabled?: boolean;
}

export const TargetField = <Name extends Target>({ form, name, disabled }: TargetProps<Name>) => (
  <TextInput {...fieldText(name)} type="url" placeholder="https://" disabled={disabled} {...form.getInputProps(name)} />
);

interface EndProps {
  readonly save: { readonly error: Error | null; readonly isPending: boolean };
  readonly submit: string;
  readonly onClose: () => void;
}

/** What went wrong, and the buttons. */
export const FormEnd = ({ save, submit, onClose }: EndProps) => (
  <>
    {save.error && <FormError message={readMessage(save.error)} />}
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button variant="default" onClick={onClose}>
        {texts.cancel}
      </Button>
      <Button type="submit" loading={save.isPending}>
        {submit}
      </Button>
    </Group>
  </>
);
