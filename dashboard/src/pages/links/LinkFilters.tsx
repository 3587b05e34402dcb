/** Which links the list shows: by what is typed, by state and by tag. */
import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconSearch, IconTags } from '@tabler/icons-react';
import { choices } from '../../choices';
import { useView } from '../../search';
import { links as text } from '../../texts/links';
import type { State } from './queries';
import { linksSearch } from './search';

/** `tags`: all that links have. */
export function LinkFilters({ tags }: { readonly tags: readonly string[] }) {
  const [{ state, search = '', tag }, setView] = useView(linksSearch);
  return (
    <Group gap="sm">
      <TextInput
        size="xs"
        w={280}
        aria-label={text.search}
        placeholder={text.search}
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={({ currentTarget }) => setView({ search: currentTarget.value || undefined }, { replace: true })}
      />
      <SegmentedControl
        size="xs"
        aria-label={text.state}
        value={state}
        data={choices<State>(text.states)}
        onChange={(next) => setView({ state: next })}
      />
      {(tags.length > 0 || tag !== undefined) && (
        <Select
          size="xs"
          w={160}
          clearable
          searchable
          aria-label={text.tag}
          placeholder={text.allTags}
          leftSection={<IconTags size={15} />}
          value={tag ?? null}
          data={tag === undefined || tags.includes(tag) ? [...tags] : [tag, ...tags]}
          onChange={(next) => setView({ tag: next ?? undefined })}
        />
      )}
    </Group>
  );
}
