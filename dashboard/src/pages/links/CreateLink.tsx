/** The form for a new link. */
import {
  Autocomplete,
  Button,
  Divider,
  Group,
  MultiSelect,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { useCloseGuard, useReportDirty } from '../../components/use-close-guard';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { toChannels, checks, fieldText } from './form';
import { checkTags, toTags, useTags } from './LinkSettingsForm';
import { StateNotice } from './LinkState';
import { choicesQuery, createLink, forget, linkDomainsQuery, type NewLink } from './queries';
import { NO_UTM, toUtm } from './utm';
import { UtmFields } from './UtmFields';
import { links as text } from '../../texts/links';
import { toPage } from '../../addresses';
import { Drawer } from '../../components/layers';

const EMPTY = {
  name: '',
  website: '',
  ios_web_redirect: '',
  android_web_redirect: '',
  store_listing_ids: [] as string[],
  deeplink: '',
  is_shortlink: false,
  domain: null as string | null,
  custom_display_id: '',
  channel: '',
  tags: [] as string[],
  utm: NO_UTM,
};
type Values = typeof EMPTY;

/** What is empty is not sent: the service has its own defaults. */
function buildBody({ name, channel, website, store_listing_ids, is_shortlink, tags, utm, ...values }: Values): NewLink {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null));
  return {
    name: name.trim(),
    tags: toTags(tags),
    utm: toUtm(utm),
    ...given,
    ...(website !== '' && !is_shortlink && { link_for_desktop_users: website }),
    ...(is_shortlink && { is_shortlink }),
    ...(store_listing_ids.length > 0 && { store_listing_ids }),
    ...(channel.trim() !== '' && { custom_channel_names: toChannels(channel) }),
  };
}

export function CreateLink({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isDirty, setDirty] = useState(false);
  const guard = useCloseGuard(isDirty, onClose);
  return (
    <Drawer
      opened={isOpen}
      onClose={guard.close}
      closeOnEscape={guard.closeOnEscape}
      position="right"
      size="lg"
      title={text.create}
    >
      <Form onClose={guard.close} onDirty={setDirty} />
      {guard.warning}
    </Drawer>
  );
}

function Form({ onClose, onDirty }: { onClose: () => void; onDirty: (isDirty: boolean) => void }) {
  const { id } = useProject();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(choicesQuery(id));
  const domains = useQuery(linkDomainsQuery(id)).data ?? [];
  const tags = useTags();
  const listPlatforms = (ids: readonly string[]) =>
    ids.map((one) => data?.stores.find(({ store_listing_id }) => store_listing_id === one)?.platform);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: checks.name,
      website: checks.webUrl,
      ios_web_redirect: checks.webUrl,
      android_web_redirect: checks.webUrl,
      deeplink: checks.deeplink,
      custom_display_id: checks.displayId,
      channel: checks.channel,
      tags: checkTags,
      store_listing_ids: (ids) => (new Set(listPlatforms(ids)).size < ids.length ? text.form.platforms : null),
    },
  });
  const save = useMutation({
    mutationFn: (values: Values) => createLink(id, buildBody(values)),
    onSuccess: async (made) => {
      notifications.show({
        message: text.createdNote(made.name, made.state === 'works' ? text.worksNow : made.reason),
      });
      await forget(id);
      await navigate(toPage('/projects/$projectId/links/$displayId', { projectId: id, displayId: made.display_id }));
    },
  });
  useReportDirty(form.isDirty() && !save.isPending, onDirty);
  const { is_shortlink: isShort, domain: wanted } = form.values;
  const domain = domains.find(({ name, primary }) => (wanted === null ? primary : name === wanted));
  return (
    <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="sm">
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {domain && <StateNotice state={domain.state} reason={domain.reason} />}
        <TextInput {...fieldText('name')} required data-autofocus {...form.getInputProps('name')} />
        <Autocomplete
          {...fieldText('channel')}
          data={(data?.channels ?? []).map(({ name }) => name)}
          {...form.getInputProps('channel')}
        />
        <TagsInput
          label={text.tags}
          description={text.settings.tagsAbout}
          data={tags}
          {...form.getInputProps('tags')}
        />
        <Divider label={text.detail.preview} labelPosition="left" mt="xs" />
        <TextInput
          {...fieldText('website')}
          type="url"
          placeholder="https://"
          disabled={isShort}
          {...form.getInputProps('website')}
        />
        <MultiSelect
          {...fieldText('store_listing_ids')}
          data={(data?.stores ?? []).map(({ store_listing_id, name, platform }) => ({
            value: store_listing_id,
            label: `${name} (${platform === 'IOS' ? 'iOS' : 'Android'})`,
          }))}
          {...form.getInputProps('store_listing_ids')}
        />
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
        <Divider label={text.form.app} labelPosition="left" mt="xs" />
        <TextInput {...fieldText('deeplink')} placeholder="shop://sale" {...form.getInputProps('deeplink')} />
        <Switch {...fieldText('is_shortlink')} {...form.getInputProps('is_shortlink', { type: 'checkbox' })} />
        <Select
          {...fieldText('domain')}
          clearable
          placeholder={domains.find(({ primary }) => primary)?.name}
          data={domains.filter(({ state }) => state !== 'domain_unproven').map(({ name }) => name)}
          {...form.getInputProps('domain')}
        />
        <TextInput
          {...fieldText('custom_display_id')}
          placeholder="spring-news"
          {...form.getInputProps('custom_display_id')}
        />
        <UtmFields values={form.values.utm} onChange={(utm) => form.setFieldValue('utm', { ...utm })} />
        {save.error && <FormError message={readMessage(save.error)} />}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {text.form.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
