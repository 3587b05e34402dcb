/** The URLs of a campaign to paste into an ad network, a tracker or any ad server. */
import { Anchor, Select, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { urls as text } from '../../texts/urls';
import { Snippet } from '../Snippet';
import { buildUrls, templates, TOKEN, type PastedUrl, type Target } from './templates';

const CHOICES = [
  { value: 'any', label: text.any },
  ...(['network', 'tracker'] as const).map((sort) => ({
    group: text.sorts[sort],
    items: templates.filter((one) => one.sort === sort).map(({ id, name }) => ({ value: id, label: name })),
  })),
];

interface Props {
  readonly target: Target;
  /** How a URL of any ad server is shown. */
  readonly write?: (url: string) => string;
}

export function UrlsToPaste({ target, write = (url) => url }: Props) {
  const [id, setId] = useState('any');
  const template = templates.find((one) => one.id === id);
  const pasted = buildUrls(template, target);
  return (
    <Stack gap="sm">
      <Select
        label={text.system}
        description={text.systemHint}
        maw={420}
        data={CHOICES}
        searchable
        allowDeselect={false}
        value={id}
        onChange={(next) => setId(next ?? 'any')}
      />
      {/* Each system begins with its first URL. */}
      <Tabs key={id} defaultValue={pasted[0]?.kind ?? 'click'} keepMounted={false}>
        <Tabs.List>
          {pasted.map(({ kind }) => (
            <Tabs.Tab key={kind} value={kind}>
              {text.kinds[kind]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {pasted.map((one) => (
          <Tabs.Panel key={one.kind} value={one.kind} pt="sm">
            <Snippet code={template ? one.url : write(one.url)} />
            {template && <About one={one} />}
          </Tabs.Panel>
        ))}
      </Tabs>
      {pasted.length === 0 && <Text size="sm">{text.noLink}</Text>}
      {template && (
        <Text size="sm" c="dimmed">
          {template.note && `${template.note} `}
          {text.checked}{' '}
          <Anchor href={template.source} target="_blank" rel="noreferrer" underline="always" inherit>
            {new URL(template.source).host}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

const About = ({ one }: { one: PastedUrl }) => (
  <Text size="sm" c="dimmed" mt={6}>
    {one.url.includes(TOKEN) ? text.abouts.token : text.abouts[one.kind]}
  </Text>
);
