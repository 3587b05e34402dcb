/** What became of one click or impression, and samples of what was refused: for a partner and for an advertiser. */
import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { usePlace } from '../../session';
import { texts } from '../../texts';
import { touches as text } from '../../texts/touches';
import { Result } from './Result';
import { Samples } from './Samples';
import { touchesSearch } from './search';

const MAX = 512;

export default function Touches() {
  const [{ search, reason }, setView] = useView(touchesSearch);
  const place = usePlace();
  const [typed, setTyped] = useState(search ?? '');
  if (!place || place.area === 'installation') throw new Error('This page is about no project and no partner');
  const asker = { area: place.area, id: place.id };
  const find = (event: FormEvent) => {
    event.preventDefault();
    setView({ search: typed.trim() || undefined });
  };
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.touches} about={text.about} />
      <Panel title={text.result}>
        <form onSubmit={find}>
          <Group gap="xs" align="flex-end" mt="xs">
            <TextInput
              label={text.search}
              description={text.searchHint}
              flex="1 1 260px"
              maw={560}
              maxLength={MAX}
              spellCheck={false}
              autoComplete="off"
              leftSection={<IconSearch size={15} />}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button type="submit">{text.find}</Button>
          </Group>
        </form>
        <div aria-live="polite">{search !== undefined && <Result asker={asker} search={search} />}</div>
      </Panel>
      <Samples asker={asker} reason={reason} onReason={(next) => setView({ reason: next }, { replace: true })} />
    </PageBody>
  );
}
