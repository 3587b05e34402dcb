/** What is to be done in each step: a form, or something to paste. */
import { Alert, Anchor, Button, Group, List, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { appsQuery, domainsQuery, keysQuery, networkAccountsQuery } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { useCreateKey, useMadeKey } from '../../api/made-keys';
import { toPage } from '../../addresses';
import { FirstEvent } from '../../components/FirstEvent';
import { WithKey } from '../../components/FirstRequest';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Snippet } from '../../components/Snippet';
import { todayIn } from '../../period';
import { useView } from '../../search';
import { useMay, useProject } from '../../session';
import { buildClick, buildSpend } from '../../snippets';
import { keys as keyTexts } from '../../texts/keys';
import { settings as settingsTexts } from '../../texts/settings';
import { setup as text } from '../../texts/setup';
import { texts } from '../../texts';
import { KINDS } from '../keys/search';
import { AppForm } from '../settings/Apps';
import { DnsCheck } from '../settings/DnsCheck';
import { DomainForm } from '../settings/Domains';
import { NetworkAccountForm } from '../settings/NetworkAccounts';
import { setupSearch } from './search';

/** For those whose role allows it: a button that opens a form. */
function Adding({ label, form }: { label: string; form: (close: () => void) => ReactNode }) {
  const mayChange = useMay('settings');
  const [isOpen, setOpen] = useState(false);
  if (!mayChange) return <Text size="sm">{text.ask}</Text>;
  return (
    <>
      <Group>
        <Button size="xs" onClick={() => setOpen(true)}>
          {label}
        </Button>
      </Group>
      {isOpen && form(() => setOpen(false))}
    </>
  );
}

const Names = ({ names }: { names: readonly string[] | undefined }) =>
  names && names.length > 0 ? (
    <List size="sm">
      {names.map((name) => (
        <List.Item key={name}>{name}</List.Item>
      ))}
    </List>
  ) : null;

const AddApp = () => (
  <Adding label={settingsTexts.apps.add} form={(close) => <AppForm app={undefined} onClose={close} />} />
);

export function AppStep() {
  const { data } = useQuery(appsQuery(useProject().id));
  return (
    <Stack gap="xs">
      <Names names={data?.map(({ app_id }) => app_id)} />
      {data?.length === 0 && <Text size="sm">{text.webOnly}</Text>}
      <AddApp />
    </Stack>
  );
}

export function DomainStep() {
  const { data } = useQuery(domainsQuery(useProject().id));
  const mayCheck = useMay('settings');
  const pending = data?.filter(({ status }) => status === 'pending') ?? [];
  return (
    <Stack gap="xs">
      <Names names={data?.filter(({ status }) => status === 'proven').map(({ name }) => name)} />
      {pending.map((domain) => (
        <Stack key={domain.id} gap="xs">
          <Alert variant="light" color="yellow" title={domain.name} p="xs">
            {text.pending}
          </Alert>
          {mayCheck && <DnsCheck domain={domain} />}
        </Stack>
      ))}
      <Adding label={settingsTexts.domains.add} form={(close) => <DomainForm onClose={close} />} />
    </Stack>
  );
}

export function KeyStep() {
  const mayMake = useMay('keys');
  return mayMake ? <Keys /> : <Text size="sm">{text.ask}</Text>;
}

function Keys() {
  const { id } = useProject();
  const works = useQuery(keysQuery(id)).data?.filter(({ revoked_at }) => !revoked_at).length ?? 0;
  const create = useCreateKey(id);
  const made = {
    server_key: useMadeKey(id, 'server_key'),
    app_key: useMadeKey(id, 'app_key'),
    web_key: useMadeKey(id, 'web_key'),
  };
  return (
    <Stack gap="sm">
      {works > 0 && (
        <Text size="sm">
          {text.keysThere(works)} {text.keyLost}
        </Text>
      )}
      {create.error && <FormError message={readMessage(create.error)} />}
      {KINDS.map((kind) => (
        <Stack key={kind} gap={4} align="flex-start">
          <Text size="sm">
            <b>{keyTexts.kinds[kind]}.</b> {keyTexts.kindHints[kind]}
          </Text>
          {made[kind] ? (
            <>
              <Text size="xs" c="dimmed">
                {texts.shownOnce}
              </Text>
              <Snippet code={made[kind]} />
            </>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => create.mutate({ kind })}>
              {text.makeKey(keyTexts.some[kind])}
            </Button>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

export function EventStep() {
  const [{ source }, setView] = useView(setupSearch);
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        size="xs"
        aria-label={text.steps.event[0]}
        value={source}
        data={Object.entries(text.sources).map(([value, label]) => ({ value, label }))}
        onChange={(next) => setView({ source: next as typeof source }, { replace: true })}
      />
      <FirstEvent source={source} addApp={<AddApp />} />
    </Stack>
  );
}

export function ClickStep() {
  const { id } = useProject();
  const domains = useQuery(domainsQuery(id)).data?.filter(({ status }) => status === 'proven');
  const { data: campaigns } = useQuery({
    queryKey: ['campaigns', id, 'first'],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: 100 } };
      return (await unwrapData(api.GET('/admin/v1/projects/{id}/campaigns', { params, signal }))).campaigns;
    },
  });
  const domain = domains?.find(({ primary }) => primary) ?? domains?.[0];
  const ours = campaigns?.filter(({ active, partner, network }) => active && !partner && !network);
  const campaign = ours?.find(({ default_link }) => !default_link) ?? ours?.[0];
  if (!domains || !campaigns) return null;
  return (
    <Stack gap="xs">
      {!domain && <Text size="sm">{text.noDomain}</Text>}
      {domain && !campaign && <Text size="sm">{text.noLink}</Text>}
      {domain && campaign && (
        <>
          <Text size="sm">{text.clickAbout}</Text>
          <Snippet code={buildClick(domain.name, campaign.display_id)} />
        </>
      )}
      <Text size="sm">
        {text.toPartners}{' '}
        <Anchor
          component={Link}
          inherit
          underline="always"
          {...toPage('/projects/$projectId/partners', { projectId: id })}
        >
          {texts.titles.partners}
        </Anchor>
      </Text>
    </Stack>
  );
}

export function SpendStep() {
  const { id, timezone } = useProject();
  const maySend = useMay('spend');
  const { data: accounts } = useQuery(networkAccountsQuery(id));
  const [chosen, setChosen] = useState<string | null>(null);
  const account = accounts?.find(({ external_customer_id: one }) => one === chosen) ?? accounts?.[0];
  if (!accounts) return null;
  const upload = maySend && (
    <Anchor component={Link} size="sm" {...toPage('/projects/$projectId/spend', { projectId: id }, { tab: 'upload' })}>
      {text.toSpend}
    </Anchor>
  );
  if (!account)
    return (
      <Stack gap="xs">
        <Text size="sm">{text.noAccount}</Text>
        <Adding
          label={settingsTexts.networks.add}
          form={(close) => <NetworkAccountForm account={undefined} onClose={close} />}
        />
        {upload}
      </Stack>
    );
  return (
    <Stack gap="xs">
      {accounts.length > 1 && (
        <Select
          size="xs"
          label={settingsTexts.networks.account}
          allowDeselect={false}
          value={account.external_customer_id}
          onChange={setChosen}
          data={accounts.map(({ external_customer_id: value, network }) => ({ value, label: `${network} ${value}` }))}
        />
      )}
      <WithKey kind="server_key">
        {(key) => (
          <Snippet
            code={buildSpend(key, account.network, account.external_customer_id, account.currency, todayIn(timezone))}
          />
        )}
      </WithKey>
      {upload}
    </Stack>
  );
}
