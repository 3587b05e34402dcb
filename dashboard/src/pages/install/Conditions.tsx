/** What has to hold of a touch that is credited with this install, with the install's own values. */
import { List, Text } from '@mantine/core';
import { useFormats } from '../../session';
import type { Candidate, InstallFacts } from './questions';
import { ago } from './words';
import { installs as installsTexts } from '../../texts/installs';
import { install as text } from '../../texts/install';

/** The windows that the candidates had, by rule. */
function listWindows(candidates: readonly Candidate[]): string {
  const known = new Map(candidates.map(({ rule, window_seconds }) => [rule, window_seconds]));
  const list = [...known].map(([rule, seconds]) => `${installsTexts.rules[rule] ?? rule} ${ago(seconds)}`);
  return list.length > 0 ? text.windows(list.join(', ')) : '';
}

interface Props {
  readonly install: InstallFacts;
  readonly candidates: readonly Candidate[];
}

export function Conditions({ install, candidates }: Props) {
  const formats = useFormats();
  const ids = [install.gaid, install.idfa].filter((id) => id !== null);
  const conditions = [
    [text.names, text.namesText(ids, install.ip)],
    [text.accepted, text.acceptedText(formats.time(install.received_at))],
    [text.inTime, text.inTimeText(formats.time(install.install_time), listWindows(candidates))],
    [text.sameApp, text.sameAppText(install.app_id)],
    [text.comparable, text.comparableText],
    [text.switchedOn, text.switchedOnText],
    [text.best, text.bestText],
  ] as const;
  return (
    <div>
      <Text size="sm" fw={600}>
        {text.conditions}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {text.conditionsAbout}
      </Text>
      <List type="ordered" size="sm" spacing={6}>
        {conditions.map(([title, what]) => (
          <List.Item key={title}>
            <b>{title}.</b> <span style={{ overflowWrap: 'anywhere' }}>{what}</span>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
