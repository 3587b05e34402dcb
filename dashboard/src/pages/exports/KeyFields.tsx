/** The two keys of a bucket. */
import { PasswordInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import { scheduledExports } from '../../texts/exports';

const text = scheduledExports.form;

interface Keys {
  readonly key: string;
  readonly secret: string;
}

export const KeyFields = ({ keys, onChange }: { keys: Keys; onChange: (changed: Partial<Keys>) => void }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label={text.key}
        required
        autoComplete="off"
        value={keys.key}
        onChange={({ currentTarget: { value } }) => onChange({ key: value })}
      />
      <PasswordInput
        label={text.secret}
        required
        autoComplete="new-password"
        value={keys.secret}
        onChange={({ currentTarget: { value } }) => onChange({ secret: value })}
      />
    </SimpleGrid>
    <Text size="xs" c="dimmed">
      {text.keysHint}
    </Text>
  </>
);
