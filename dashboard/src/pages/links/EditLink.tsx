/** The form that changes a link. */
import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useReportDirty } from '../../components/use-close-guard';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { links as text } from '../../texts/links';
import { toChannels, checks, fieldText } from './form';
import { ChannelField, FormEnd, LinkDrawer, TargetField, type DrawerProps, type InDrawer } from './LinkDrawer';
import { campaignName } from './names';
import { editCampaign, forget, type Campaign, type CampaignChanges, type Preview } from './queries';

interface Edited {
  readonly campaign: Campaign;
  readonly preview: Preview;
}

export const EditLink = ({ isOpen, onClose, ...edited }: Edited & DrawerProps) => (
  <LinkDrawer isOpen={isOpen} onClose={onClose} title={text.form.edit(campaignName(edited.campaign))}>
    {(inDrawer) => <Form {...edited} {...inDrawer} onSaved={onClose} />}
  </LinkDrawer>
);

interface FormProps extends Edited, InDrawer {
  readonly onSaved: () => void;
}

function Form({ campaign, preview: { configured }, onClose, onSaved, onDirty }: FormProps) {
  const { id } = useProject();
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
        <ChannelField form={form} />
        <TargetField form={form} name="website" />
        <TargetField form={form} name="ios_web_redirect" />
        <TargetField form={form} name="android_web_redirect" />
        <Text size="xs" c="dimmed">
          {text.form.fixed}
        </Text>
        <FormEnd save={save} submit={texts.save} onClose={onClose} />
      </Stack>
    </form>
  );
}
