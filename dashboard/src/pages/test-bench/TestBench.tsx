/** The test bench: what a request would be answered, and why. Nothing is stored. */
import {
  Alert,
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { campaignsQuery } from '../../api/partner';
import { sampleQuery, type RefusedRequest } from '../../api/touches';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { useView } from '../../search';
import { usePartner } from '../../session';
import { refusalText } from '../../texts/refusals';
import { Batch } from './Batch';
import { RequestForm } from './RequestForm';
import { KINDS, PATHS, buildQuery, readRequest, type Request, type Values } from './requests';
import { Result } from './Result';
import { testBenchSearch } from './search';
import { tryOut } from './trial';
import { partner as partnerTexts } from '../../texts/partner';
import { curlCall } from '../../shell';
import { texts } from '../../texts';

const text = partnerTexts.bench;

const buildExample = (c: string, app: string): Values => ({
  app_id: app,
  c,
  tid: 'test-1',
  gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
  ip: '203.0.113.7',
  ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8)',
});

/** The URL of a sample, as its sender called it. */
const toUrl = ({ kind, query }: RefusedRequest) =>
  `${window.location.origin}${PATHS[kind === 'ctv_impression' ? 'ctv' : kind]}?${query}`;

/** As a partner's server sends it. */
const buildCurl = ({ kind, query }: Request) =>
  curlCall(`${window.location.origin}${PATHS[kind]}?${query}`, {
    headers: [`X-Service-Token: ${text.tokenPlaceholder}`],
  });

export default function TestBench() {
  const [{ mode }, setView] = useView(testBenchSearch);
  return (
    <PageBody>
      <PageHeader title={texts.titles.partnerBench} about={text.about}>
        <SegmentedControl
          size="xs"
          aria-label={text.mode}
          value={mode}
          data={(['url', 'form', 'batch'] as const).map((one) => ({ value: one, label: text.modes[one] }))}
          onChange={(next) => setView({ mode: next, sample: undefined })}
        />
      </PageHeader>
      {mode === 'batch' ? <Batch /> : <Single />}
    </PageBody>
  );
}

function Single() {
  const [{ kind, mode, campaign, sample }, setView] = useView(testBenchSearch);
  const { id } = usePartner();
  const { data } = useQuery(campaignsQuery(id));
  const campaigns = data?.campaigns ?? [];
  const [values, setValues] = useState<Values>({ c: campaign ?? '', tid: 'test-1' });
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [isBad, setBad] = useState(false);
  const trial = useMutation({ mutationFn: (asked: Request) => tryOut(id, asked) });
  const { data: refused } = useQuery(sampleQuery(id, sample));
  // One click on a sample is enough: it is there, and tested.
  const openSample = useEffectEvent((one: RefusedRequest) => {
    const shown = toUrl(one);
    const asked = readRequest(shown);
    setUrl(shown);
    if (asked) trial.mutate(asked);
  });
  useEffect(() => {
    if (refused) openSample(refused);
  }, [refused]);
  const pasted = readRequest(url);
  const request: Request | undefined =
    mode === 'form'
      ? { kind, query: buildQuery(kind, values), token: token.trim() }
      : pasted && { ...pasted, token: token.trim() || pasted.token };
  const example = () => {
    const chosen = campaigns.find((one) => one.display_id === values.c) ?? campaigns[0];
    const filled = buildExample(chosen?.display_id ?? '', chosen?.switches.ctv_apps[0] ?? 'com.example.shop');
    if (mode === 'form') setValues(filled);
    else setUrl(`${window.location.origin}${PATHS.click}?${buildQuery('click', filled)}`);
    setBad(false);
  };
  const isChanged = trial.variables !== undefined && JSON.stringify(request) !== JSON.stringify(trial.variables);
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Panel title={text.request}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setBad(request === undefined);
              if (request) trial.mutate(request);
            }}
          >
            <Stack gap="md" mt="xs">
              {sample !== undefined && refused !== undefined && (
                <Alert variant="light" color="gray" p="xs">
                  {refused ? text.sample(refusalText(refused.reason).label) : text.sampleGone}
                </Alert>
              )}
              {mode === 'url' ? (
                <Textarea
                  label={text.url}
                  description={text.urlAbout}
                  autosize
                  minRows={5}
                  maxRows={16}
                  spellCheck={false}
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', wordBreak: 'break-all' } }}
                  value={url}
                  error={isBad && !pasted ? text.badUrl : undefined}
                  onChange={({ currentTarget }) => setUrl(currentTarget.value)}
                />
              ) : (
                <>
                  <SegmentedControl
                    aria-label={text.kind}
                    value={kind}
                    data={KINDS.map((one) => ({ value: one, label: text.kinds[one] }))}
                    onChange={(next) => setView({ kind: next }, { replace: true })}
                  />
                  <RequestForm kind={kind} values={values} campaigns={campaigns} onChange={setValues} />
                </>
              )}
              <PasswordInput
                label={texts.token}
                description={text.tokenAbout}
                autoComplete="off"
                value={token}
                onChange={({ currentTarget }) => setToken(currentTarget.value)}
              />
              <Group gap="xs">
                <Button type="submit" loading={trial.isPending}>
                  {texts.test}
                </Button>
                <Button variant="default" onClick={example}>
                  {text.example}
                </Button>
              </Group>
              {request && mode === 'form' && <Snippet code={buildCurl(request)} />}
            </Stack>
          </form>
        </Panel>
        <Panel title={texts.result}>
          <div aria-live="polite">
            {isChanged && !trial.isPending && (
              <Text size="sm" c="dimmed" mb="xs">
                {text.again}
              </Text>
            )}
            <Result trial={trial.data} error={trial.error} stale={isChanged || trial.isPending} />
          </div>
        </Panel>
      </SimpleGrid>
    </>
  );
}
