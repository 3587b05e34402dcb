/** Requests with macros, to paste into an ad server, a network or a tracker. */
import { Autocomplete, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { campaignsQuery } from '../../api/partner';
import { Panel } from '../../components/Panel';
import { UrlsToPaste } from '../../components/urls/UrlsToPaste';
import { useView } from '../../search';
import { usePartner } from '../../session';
import { credentialsSearch } from './search';
import { partner as partnerTexts } from '../../texts/partner';
import { curlCall } from '../../shell';

const text = partnerTexts.credentials;

const writeCurl = (url: string): string =>
  curlCall(url, { headers: [`X-Service-Token: ${partnerTexts.bench.tokenPlaceholder}`] });

export function Snippets() {
  const { id } = usePartner();
  const [{ campaign }, setView] = useView(credentialsSearch);
  const { data } = useQuery(campaignsQuery(id));
  const [app, setApp] = useState<string | null>(null);
  const codes = [...new Set(data?.campaigns.map((one) => one.display_id))];
  const code = campaign ?? codes[0] ?? text.anyCampaign;
  const chosen = data?.campaigns.find((one) => one.display_id === code);
  const apps = chosen?.apps ?? [];
  const target = {
    code,
    app: app !== null && apps.includes(app) ? app : apps[0],
    trackingLink: chosen?.tracking_link ?? null,
  };
  return (
    <Panel title={text.snippets} about={text.snippetsAbout}>
      <Stack gap="sm" mt="sm">
        <Autocomplete
          label={text.forCampaign}
          maw={420}
          data={codes}
          limit={50}
          maxLength={64}
          placeholder={code}
          value={campaign ?? ''}
          onChange={(next) => setView({ campaign: next || undefined }, { replace: true })}
        />
        {apps.length > 1 && (
          <Select label={text.app} maw={420} data={apps} allowDeselect={false} value={target.app} onChange={setApp} />
        )}
        <UrlsToPaste target={target} write={writeCurl} />
        <Text size="sm" c="dimmed">
          {text.header}
        </Text>
      </Stack>
    </Panel>
  );
}
