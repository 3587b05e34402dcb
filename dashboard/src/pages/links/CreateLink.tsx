/** The form for a new link. */
import { Divider, MultiSelect, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { ErrorBox } from '../../components/ErrorBox';
import { useReportDirty } from '../../components/use-close-guard';
import { useProject } from '../../session';
import { links as text } from '../../texts/links';
import { toChannels, checks, fieldText } from './form';
import { ChannelField, FormEnd, LinkDrawer, TargetField, type DrawerProps, type InDrawer } from './LinkDrawer';
import { checkTags, toTags, useTags } from './LinkSettingsForm';
import { StateNotice } from './LinkState';
import { choicesQuery, createLink, forget, linkDomainsQuery, type NewLink } from './queries';
import { NO_UTM, toUtm } from './utm';
import { UtmFields } from './UtmFields';

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

export const CreateLink = (drawer: DrawerProps) => (
  <LinkDrawer {...drawer} title={text.create}>
    {(inDrawer) => <Form {...inDrawer} />}
  </LinkDrawer>
);

function Form({ onClose, onDirty }: InDrawer) {
  const { id } = useProject();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(choicesQuery(id));
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
  return (
    <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="sm">
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        <DomainNotice wanted={form.values.domain} />
        <NameFields form={form} />
        <TargetFields form={form} />
        <AppFields form={form} />
        <UtmFields values={form.values.utm} onChange={(utm) => form.setFieldValue('utm', { ...utm })} />
        <FormEnd save={save} submit={text.form.submit} onClose={onClose} />
      </Stack>
    </form>
  );
}

const useDomains = () => useQuery(linkDomainsQuery(useProject().id)).data ?? [];

/** What is wrong with the domain that the link would have. */
function DomainNotice({ wanted }: { readonly wanted: string | null }) {
  const domain = useDomains().find(({ name, primary }) => (wanted === null ? primary : name === wanted));
  return domain && <StateNotice state={domain.state} reason={domain.reason} />;
}

interface FieldsProps {
  readonly form: UseFormReturnType<Values>;
}

const NameFields = ({ form }: FieldsProps) => (
  <>
    <TextInput {...fieldText('name')} required data-autofocus {...form.getInputProps('name')} />
    <ChannelField form={form} />
    <TagsInput
      label={text.tags}
      description={text.settings.tagsAbout}
      data={useTags()}
      {...form.getInputProps('tags')}
    />
  </>
);

function TargetFields({ form }: FieldsProps) {
  const { data } = useQuery(choicesQuery(useProject().id));
  return (
    <>
      <Divider label={text.detail.preview} labelPosition="left" mt="xs" />
      <TargetField form={form} name="website" disabled={form.values.is_shortlink} />
      <MultiSelect
        {...fieldText('store_listing_ids')}
        data={(data?.stores ?? []).map(({ store_listing_id, name, platform }) => ({
          value: store_listing_id,
          label: `${name} (${platform === 'IOS' ? 'iOS' : 'Android'})`,
        }))}
        {...form.getInputProps('store_listing_ids')}
      />
      <TargetField form={form} name="ios_web_redirect" />
      <TargetField form={form} name="android_web_redirect" />
    </>
  );
}

function AppFields({ form }: FieldsProps) {
  const domains = useDomains();
  return (
    <>
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
    </>
  );
}
