/** A first request of an app or a website that works as it is pasted: with the project's app and a key made here. */
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { appsQuery, type KeyKind } from '../api/admin';
import { useCreateKey, useMadeKey } from '../api/made-keys';
import { toPage } from '../addresses';
import { useMay, useProject } from '../session';
import { buildInstall, buildPageView, buildScript } from '../snippets';
import { keys as keyTexts } from '../texts/keys';
import { setup as text } from '../texts/setup';
import { readMessage } from './ErrorBox';
import { FormError } from './FormError';
import { Snippet } from './Snippet';

const SITE = 'https://www.example.com/';

export interface Props {
  readonly source: 'app' | 'web';
  /** Adds an app where there is none; else the page does that leads through the setting up. */
  readonly addApp?: ReactNode;
}

export default function FirstRequest({ source, addApp }: Props) {
  const { id } = useProject();
  const apps = useQuery(appsQuery(id));
  const maySetUp = useMay('settings');
  const [at] = useState(() => new Date());
  const appId = apps.data?.[0]?.app_id;
  if (source === 'app' && apps.data && appId === undefined)
    return (
      <Stack gap="xs" align="center">
        <Text size="sm">{text.noApp}</Text>
        {addApp ?? (maySetUp ? <ToSetup /> : <Text size="sm">{text.ask}</Text>)}
      </Stack>
    );
  if (source === 'web')
    return (
      <WithKey kind="web_key">
        {(key) => (
          <>
            <Text size="sm">{text.inPage}</Text>
            <Snippet code={buildScript(key)} />
            <Text size="sm">{text.orTest}</Text>
            <Snippet code={buildPageView(key, SITE, at)} />
          </>
        )}
      </WithKey>
    );
  if (appId === undefined) return null;
  return <WithKey kind="app_key">{(key) => <Snippet code={buildInstall('app-key', key, appId, at)} />}</WithKey>;
}

function ToSetup() {
  const { id } = useProject();
  return (
    <Button size="xs" component={Link} {...toPage('/projects/$projectId/setup', { projectId: id })}>
      {text.toSetup}
    </Button>
  );
}

/** Shows what needs a key: with the one that was made here, else once one is made. */
export function WithKey({ kind, children }: { kind: KeyKind; children: (key: string) => ReactNode }) {
  const { id } = useProject();
  const mayMake = useMay('keys');
  const made = useMadeKey(id, kind);
  const create = useCreateKey(id);
  const name = keyTexts.kinds[kind];
  if (made !== undefined) return <Stack gap="xs">{children(made)}</Stack>;
  if (!mayMake)
    return (
      <Stack gap="xs">
        <Text size="sm">{text.placeholder(name)}</Text>
        {children('YOUR_KEY')}
      </Stack>
    );
  return (
    <Stack gap="xs" align="flex-start">
      {create.error && <FormError message={readMessage(create.error)} />}
      <Text size="sm">{text.needsKey(name.toLowerCase())}</Text>
      <Button size="xs" loading={create.isPending} onClick={() => create.mutate({ kind })}>
        {text.withKey(keyTexts.some[kind])}
      </Button>
    </Stack>
  );
}
