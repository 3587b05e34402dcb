/** The form of an override: for which event and partner, what is sent, and what is left out. */
import { Button, Group, Stack } from '@mantine/core';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { useCloseGuard } from '../../components/use-close-guard';
import { RequestFields } from '../../components/postbacks/RequestFields';
import { TestButton } from '../../components/postbacks/TestButton';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { Drawer } from '../../components/layers';
import { OverrideFields } from './OverrideFields';
import { useOverride, type OverrideProps } from './use-override';

export function OverrideForm(props: OverrideProps) {
  const { id } = useProject();
  const form = useOverride(id, props);
  const guard = useCloseGuard(form.isDirty && !form.isSaving, props.onClose);
  const sendsOther = form.mode === 'other';
  const fields = <OverrideFields form={form} />;
  return (
    <Drawer
      opened
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      position="right"
      size={sendsOther ? 960 : 480}
      title={postbacks.overrides.new}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          form.submit();
        }}
      >
        <Stack gap="md">
          {form.error && <FormError message={readMessage(form.error)} />}
          {sendsOther ? (
            <RequestFields
              place={{ area: 'project', id }}
              values={form.values}
              request={form.request}
              errors={form.errors}
              onChange={form.change}
            >
              {fields}
            </RequestFields>
          ) : (
            fields
          )}
          <Group justify="flex-end" gap="xs">
            {sendsOther && (
              <TestButton
                area="project"
                id={id}
                test={{ template: form.request, withhold: form.withhold, event: form.event }}
                name={form.event}
                disabled={form.request.url === '' || !form.isReady}
              />
            )}
            <Button variant="default" onClick={guard.close}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={form.isSaving}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
      {guard.warning}
    </Drawer>
  );
}
