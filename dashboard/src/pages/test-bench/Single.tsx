/** One request, as a URL or by its parameters, and what it would be answered. */
import { Alert, PasswordInput, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { useView } from '../../search';
import { curlCall } from '../../shell';
import { texts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';
import { refusalText } from '../../texts/refusals';
import { RequestForm } from './RequestForm';
import { KINDS, PATHS, type Request } from './requests';
import { PastedText, TestButtons } from './request-parts';
import { Result } from './Result';
import { testBenchSearch } from './search';
import { useTrial } from './use-trial';

const text = partnerTexts.bench;

/** As a partner's server sends it. */
const buildCurl = ({ kind, query }: Request) =>
  curlCall(`${window.location.origin}${PATHS[kind]}?${query}`, {
    headers: [`X-Service-Token: ${text.tokenPlaceholder}`],
  });

export function Single() {
  const [{ mode }] = useView(testBenchSearch);
  const typed = useTrial();
  const { request, trial, isChanged, sample } = typed;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Panel title={text.request}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            typed.submit();
          }}
        >
          <Stack gap="md" mt="xs">
            {sample !== undefined && (
              <Alert variant="light" color="gray" p="xs">
                {sample ? text.sample(refusalText(sample.reason).label) : text.sampleGone}
              </Alert>
            )}
            <Fields {...typed} />
            <PasswordInput
              label={texts.token}
              description={text.tokenAbout}
              autoComplete="off"
              value={typed.token}
              onChange={({ currentTarget }) => typed.setToken(currentTarget.value)}
            />
            <TestButtons isPending={trial.isPending} onExample={typed.fillIn} />
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
  );
}

/** What the request is: its URL, or its kind and its parameters. */
function Fields({ campaigns, values, setValues, url, setUrl, isBadUrl }: ReturnType<typeof useTrial>) {
  const [{ kind, mode }, setView] = useView(testBenchSearch);
  if (mode === 'url')
    return (
      <PastedText
        label={text.url}
        description={text.urlAbout}
        minRows={5}
        maxRows={16}
        value={url}
        error={isBadUrl ? text.badUrl : undefined}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
    );
  return (
    <>
      <SegmentedControl
        aria-label={text.kind}
        value={kind}
        data={KINDS.map((one) => ({ value: one, label: text.kinds[one] }))}
        onChange={(next) => setView({ kind: next }, { replace: true })}
      />
      <RequestForm kind={kind} values={values} campaigns={campaigns} onChange={setValues} />
    </>
  );
}
