/** What every form of the test bench has: a text that is pasted, and what is done with it. */
import { Button, Group, Textarea, type TextareaProps } from '@mantine/core';
import { texts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', wordBreak: 'break-all' } } as const;

export const PastedText = (props: TextareaProps) => (
  <Textarea autosize spellCheck={false} styles={MONOSPACE} {...props} />
);

export const TestButtons = ({ isPending, onExample }: { isPending: boolean; onExample: () => void }) => (
  <Group gap="xs">
    <Button type="submit" loading={isPending}>
      {texts.test}
    </Button>
    <Button variant="default" onClick={onExample}>
      {partnerTexts.bench.example}
    </Button>
  </Group>
);
