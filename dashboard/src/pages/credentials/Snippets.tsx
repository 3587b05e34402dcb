/** Requests with macros, to paste into an ad server. */
import { Autocomplete, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { campaignsQuery } from '../../api/partner';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { buildS2sUrl, S2S_KINDS, type S2sKind } from '../../s2s-requests';
import { useView } from '../../search';
import { usePartner } from '../../session';
import { credentialsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';
import { curlCall } from '../../shell';

const text = partnerTexts.credentials;

const buildCode = (kind: S2sKind, campaign: string): string =>
  curlCall(buildS2sUrl(kind, campaign, '{app_id}'), {
    headers: [`X-Service-Token: ${partnerTexts.bench.tokenPlaceholder}`],
  });

export function Snippets() {
  const { id } = usePartner();
  const [{ campaign }, setView] = useView(credentialsSearch);
  const { data } = useQuery(campaignsQuery(id));
  const codes = [...new Set(data?.campaigns.map((one) => one.display_id))];
  const chosen = campaign ?? codes[0] ?? text.anyCampaign;
  return (
    <Panel title={text.snippets} about={text.snippetsAbout}>
      <Stack gap="sm" mt="sm">
        <Autocomplete
          label={text.forCampaign}
          maw={320}
          data={codes}
          limit={50}
          maxLength={64}
          placeholder={chosen}
          value={campaign ?? ''}
          onChange={(code) => setView({ campaign: code || undefined }, { replace: true })}
        />
        <Tabs defaultValue="click" keepMounted={false}>
          <Tabs.List>
            {S2S_KINDS.map((kind) => (
              <Tabs.Tab key={kind} value={kind}>
                {text[kind]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {S2S_KINDS.map((kind) => (
            <Tabs.Panel key={kind} value={kind} pt="sm">
              <Snippet code={buildCode(kind, chosen)} />
            </Tabs.Panel>
          ))}
        </Tabs>
        <Text size="sm" c="dimmed">
          {text.header}
        </Text>
      </Stack>
    </Panel>
  );
}
