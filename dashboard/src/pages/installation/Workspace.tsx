/** Applies a workspace document, once it has been shown what would change. */
import { Button, FileButton, Group, Spoiler, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Applied, Workspace } from '../../api/admin';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { LeaveWarning } from '../../components/LeaveWarning';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { useApply, useCheck } from './apply';
import { Changes } from './Changes';
import { Secrets } from './Secrets';
import { installation as installationTexts } from '../../texts/installation';

const text = installationTexts.workspace;

const EXAMPLE = {
  accounts: [{ name: 'Acme' }],
  partners: [{ name: 'Mobi Ads' }],
  projects: [
    {
      name: 'Acme Shop',
      account: 'Acme',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
      domains: [{ name: 'go.acme.example' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true }],
    },
  ],
};

export default function WorkspacePage() {
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<string>();
  const apply = useApply();
  const check = useCheck();
  const change = (next: string) => {
    setTyped(next);
    // What was checked is another document.
    check.reset();
    apply.reset();
    setMistake(undefined);
  };
  const submit = () => {
    apply.reset();
    setMistake(undefined);
    try {
      check.mutate(JSON.parse(typed) as Workspace);
    } catch (error) {
      setMistake(text.noJson((error as Error).message));
    }
  };
  const open = (file: File | null) => void file?.text().then(change);
  const error = apply.error ?? check.error;
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.installationWorkspace} about={text.about} />
      <Panel
        title={text.document}
        tools={
          <>
            <Button size="xs" variant="default" onClick={() => change(JSON.stringify(EXAMPLE, null, 2))}>
              {text.example}
            </Button>
            <FileButton onChange={open} accept="application/json,.json">
              {(props) => (
                <Button size="xs" variant="default" {...props}>
                  {text.file}
                </Button>
              )}
            </FileButton>
          </>
        }
      >
        <Stack gap="sm" pt="xs">
          <Textarea
            aria-label={text.document}
            value={typed}
            onChange={({ currentTarget }) => change(currentTarget.value)}
            autosize
            minRows={14}
            maxRows={30}
            spellCheck={false}
            placeholder='{"accounts": [{"name": "Acme"}]}'
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          {mistake && <FormError message={mistake} />}
          {error && <FormError message={readMessage(error)} />}
          <Group>
            <Button variant="default" loading={check.isPending} disabled={typed.trim() === ''} onClick={submit}>
              {text.check}
            </Button>
          </Group>
        </Stack>
      </Panel>
      {check.data && check.variables && !apply.data && (
        <Changes answer={check.data} isApplying={apply.isPending} onApply={() => apply.mutate(check.variables)} />
      )}
      <LeaveWarning when={typed.trim() !== '' && !apply.data} />
      {apply.data && <Answer answer={apply.data} onClose={apply.reset} />}
    </PageBody>
  );
}

function Answer({ answer, onClose }: { answer: Applied; onClose: () => void }) {
  const { count } = useFormats();
  const { created, updated, unchanged, skipped, secrets } = answer;
  const parts = [
    [text.created, created],
    [text.updated, updated],
    [text.unchanged, unchanged],
    [text.skipped, skipped.length],
  ] as const;
  return (
    <>
      <Panel title={text.answer}>
        <Text size="sm" role="status" py="xs">
          {parts.map(([name, number]) => `${name}: ${count(number)}`).join(' · ')}
        </Text>
        <Spoiler maxHeight={0} showLabel={text.whole} hideLabel={texts.close}>
          <Snippet code={JSON.stringify({ ...answer, secrets: secrets.length }, null, 2)} />
        </Spoiler>
      </Panel>
      <Secrets secrets={secrets} onClose={onClose} />
    </>
  );
}
