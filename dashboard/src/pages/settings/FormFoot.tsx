/** The end of a form: what is wrong, and the buttons, which are there once something is changed. */
import { Button, Group, Text } from '@mantine/core';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { LeaveWarning } from '../../components/LeaveWarning';
import { texts } from '../../texts';
import { settings as settingsTexts } from '../../texts/settings';

interface Props {
  readonly error: unknown;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onUndo: () => void;
}

export const FormFoot = ({ error, isDirty, isSaving, onUndo }: Props) => (
  <>
    <LeaveWarning when={isDirty && !isSaving} />
    {error !== null && <FormError message={readMessage(error)} />}
    <Group gap="xs" mih={36}>
      <Button type="submit" disabled={!isDirty} loading={isSaving}>
        {texts.save}
      </Button>
      {isDirty && !isSaving && (
        <>
          <Button variant="default" onClick={onUndo}>
            {texts.undo}
          </Button>
          <Text size="xs" c="dimmed" role="status">
            {settingsTexts.unsaved}
          </Text>
        </>
      )}
    </Group>
  </>
);
