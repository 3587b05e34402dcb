/** Requests with macros, to paste into an ad server. */
import { Autocomplete, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { campaignsQuery } from '../../api/partner';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { useView } from '../../search';
import { usePartner } from '../../session';
import { credentialsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';
import { curlCall } from '../../shell';

const text = partnerTexts.credentials;
const KINDS = ['click', 'impression', 'ctv'] as const;
type Kind = (typeof KINDS)[number];

const COMMON = 'tid={touch_id}';
const DEVICE = 'gaid={gaid}&idfa={idfa}&ip={ip}&ua={user_agent}';
const REQUESTS: Readonly<Record<Kind, readonly [path: string, query: string]>> = {
  click: ['/v1/click', `${COMMON}&${DEVICE}&click_time={timestamp}`],
  impression: ['/v1/impression', `${COMMON}&${DEVICE}&impression_time={timestamp}`],
  ctv: ['/v1/ctv/impression', `${COMMON}&ip={ip}&ua={user_agent}&impression_time={timestamp}&site_id={publisher}`],
};

function buildCode(kind: Kind, campaign: string): string {
  const [path, query] = REQUESTS[kind];
  const url = `${window.location.origin}${path}?app_id={app_id}&c=${campaign}&${query}`;
  return curlCall(url, { headers: [`X-Service-Token: ${partnerTexts.bench.tokenPlaceholder}`] });
}

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
            {KINDS.map((kind) => (
              <Tabs.Tab key={kind} value={kind}>
                {text[kind]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {KINDS.map((kind) => (
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
