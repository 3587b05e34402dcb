/** The campaigns of a partner in a project, each with the URLs that the partner puts into its ad server. */
import { Alert, Button, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import type { components } from '@adtrail/client';
import { domainsQuery } from '../../api/admin';
import { queryClient } from '../../api/queries';
import { ErrorBox } from '../../components/ErrorBox';
import { FormModal } from '../../components/FormModal';
import { Panel } from '../../components/Panel';
import { UrlsToPaste } from '../../components/urls/UrlsToPaste';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { partners as partnersTexts } from '../../texts/partners';
import { appsQuery, switchesQuery } from './questions';

const text = partnersTexts.campaigns;
type Campaign = components['schemas']['ProjectCampaign'];
type Domain = Awaited<ReturnType<NonNullable<ReturnType<typeof domainsQuery>['queryFn']>>>[number];
const PAGE = 1000;

const campaignsOfProject = (id: number) => ({
  queryKey: ['campaigns', id, 'of partners'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const found: Campaign[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const params = { path: { id }, query: { page, limit: PAGE } };
      const { campaigns, pagination } = await unwrapData(
        api.GET('/admin/v1/projects/{id}/campaigns', { params, signal }),
      );
      found.push(...campaigns);
      pages = pagination.pages;
    }
    return found;
  },
});

export function ProjectCampaigns({ name }: { name: string }) {
  const { id } = useProject();
  const mayAdd = useMay('settings');
  const { data, error, refetch } = useQuery(campaignsOfProject(id));
  const switches = useQuery(switchesQuery(id)).data?.partners.find(({ partner }) => partner === name);
  const [isAdding, setAdding] = useState(false);
  const own = data?.filter(({ partner }) => partner === name);
  const isOff = switches === undefined || (!switches.s2s_clicks && !switches.s2s_traffic);
  const add = mayAdd && (
    <Button size="xs" variant="default" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <Panel title={texts.titles.campaigns} about={text.about} tools={add}>
      <Stack gap="sm" pt="xs">
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {isOff && own && own.length > 0 && (
          <Alert variant="light" color="yellow" p="xs">
            {text.off}
          </Alert>
        )}
        {own?.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        )}
        {own && own.length > 0 && <Templates campaigns={own} />}
      </Stack>
      {isAdding && <AddCampaign partner={name} onClose={() => setAdding(false)} />}
    </Panel>
  );
}

function Templates({ campaigns }: { campaigns: readonly Campaign[] }) {
  const { id } = useProject();
  const apps = useQuery(appsQuery(id)).data?.apps.map(({ app_id }) => app_id) ?? [];
  const domains = useQuery(domainsQuery(id)).data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [app, setApp] = useState<string | null>(null);
  const campaign = campaigns.find(({ display_id }) => display_id === chosen) ?? campaigns[0];
  if (!campaign) return null;
  return (
    <>
      <Select
        label={texts.campaign}
        maw={420}
        data={campaigns.map(({ display_id: value, name }) => ({ value, label: `${name} · ${value}` }))}
        searchable
        allowDeselect={false}
        value={campaign.display_id}
        onChange={setChosen}
      />
      {apps.length > 1 && (
        <Select label={text.app} maw={420} data={apps} allowDeselect={false} value={app ?? apps[0]} onChange={setApp} />
      )}
      {apps.length === 0 && <Text size="sm">{text.noApp}</Text>}
      <UrlsToPaste
        target={{ code: campaign.display_id, app: app ?? apps[0], trackingLink: toTrackingLink(campaign, domains) }}
      />
      <List size="sm" c="dimmed">
        {text.tell.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </>
  );
}

/** On the primary domain; none where the project has no domain. */
function toTrackingLink({ display_id }: Campaign, domains: readonly Domain[]): string | null {
  const host = domains.find(({ primary, status }) => primary && status !== 'pending')?.name;
  return host === undefined ? null : `https://${host}/?c=${display_id}`;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 10;

/** As the service makes them: 10 letters and digits, each as likely as another. */
function newDisplayId(): string {
  const fair = Math.floor(256 / LETTERS.length) * LETTERS.length;
  let made = '';
  while (made.length < LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < fair && made.length < LENGTH) made += LETTERS[byte % LETTERS.length] ?? '';
  return made;
}

function AddCampaign({ partner, onClose }: { partner: string; onClose: () => void }) {
  const { id } = useProject();
  const [display_id] = useState(newDisplayId);
  const form = useForm({ initialValues: { name: '' } });
  const save = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      api.PUT('/admin/v1/projects/{id}', {
        params: { path: { id } },
        body: { campaigns: [{ display_id, name: name.trim(), partner }] },
      }),
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: ['campaigns', id] });
      notifications.show({ message: text.added(name.trim()) });
      onClose();
    },
  });
  return (
    <FormModal
      title={text.add}
      submit={text.add}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        description={text.nameHint(partner)}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
