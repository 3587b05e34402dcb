/** The form that changes a link. */
import { Autocomplete, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { useCloseGuard, useReportDirty } from '../../components/use-close-guard';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { toChannels, checks, fieldText } from './form';
import { campaignName } from './names';
import { choicesQuery, editCampaign, forget, type Campaign, type CampaignChanges, type Preview } from './queries';
import { links as text } from '../../texts/links';
import { Drawer } from '../../components/layers';

interface Props {
  readonly campaign: Campaign;
  readonly preview: Preview;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function EditLink({ isOpen, onClose, ...props }: Props) {
  const [isDirty, setDirty] = useState(false);
  const guard = useCloseGuard(isDirty, onClose);
  return (
    <Drawer
      opened={isOpen}
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      position="right"
      size="lg"
      title={text.form.edit(campaignName(props.campaign))}
    >
      <Form {...props} onClose={guard.close} onSaved={onClose} onDirty={setDirty} />
      {guard.warning}
    </Drawer>
  );
}

interface FormProps extends Omit<Props, 'isOpen'> {
  readonly onSaved: () => void;
  readonly onDirty: (isDirty: boolean) => void;
}

function Form({ campaign, preview: { configured }, onClose, onSaved, onDirty }: FormProps) {
  const { id } = useProject();
  const { data } = useQuery(choicesQuery(id));
  const before = {
    name: campaign.name,
    active: campaign.active,
    website: configured.website ?? '',
    ios_web_redirect: configured.ios_web_redirect ?? '',
    android_web_redirect: configured.android_web_redirect ?? '',
    channel: campaign.custom_channels[0]?.name ?? '',
  };
  const form = useForm({
    initialValues: before,
    validate: {
      name: (value) => (campaign.default_link ? null : checks.name(value)),
      website: checks.webUrl,
      ios_web_redirect: checks.webUrl,
      android_web_redirect: checks.webUrl,
      channel: checks.channel,
    },
  });
  const save = useMutation({
    mutationFn: (body: CampaignChanges) => editCampaign(id, campaign.display_id, body),
    onSuccess: async () => {
      notifications.show({ message: text.saved });
      await forget(id);
      onSaved();
    },
  });
  useReportDirty(form.isDirty() && !save.isPending, onDirty);
  /** Only what differs: what is not sent stays as somebody else may have changed it. */
  const submit = ({ channel, ...values }: typeof before) => {
    const changed = Object.entries(values).filter(([field, value]) => value !== before[field as keyof typeof values]);
    const body: Record<string, unknown> = {
      ...Object.fromEntries(changed),
      ...(channel !== before.channel && { custom_channel_names: toChannels(channel) }),
    };
    if (Object.keys(body).length === 0) onSaved();
    else save.mutate(body);
  };
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        {!campaign.default_link && (
          <TextInput {...fieldText('name')} required data-autofocus {...form.getInputProps('name')} />
        )}
        <Switch {...fieldText('active')} {...form.getInputProps('active', { type: 'checkbox' })} />
        <Autocomplete
          {...fieldText('channel')}
          data={(data?.channels ?? []).map(({ name }) => name)}
          {...form.getInputProps('channel')}
        />
        <TextInput {...fieldText('website')} type="url" placeholder="https://" {...form.getInputProps('website')} />
        <TextInput
          {...fieldText('ios_web_redirect')}
          type="url"
          placeholder="https://"
          {...form.getInputProps('ios_web_redirect')}
        />
        <TextInput
          {...fieldText('android_web_redirect')}
          type="url"
          placeholder="https://"
          {...form.getInputProps('android_web_redirect')}
        />
        <Text size="xs" c="dimmed">
          {text.form.fixed}
        </Text>
        {save.error && <FormError message={readMessage(save.error)} />}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
