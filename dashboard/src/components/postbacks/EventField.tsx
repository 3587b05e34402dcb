/** Which event a template is for: one that is known, or one that the app names itself. */
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { postbacks } from '../../texts/postbacks';
import { texts } from '../../texts';

const text = postbacks.form;

const KNOWN = ['install', 'reinstall', 'reengagement', 'signup', 'payment', 'refund', 'rejected'];
const OWN = 'event:';
const MAX_NAME = 255;

const CHOICES = [
  ...KNOWN.map((value) => ({ value, label: postbacks.events[value] ?? value })),
  { value: OWN, label: text.own },
];

/** What people call an event: `Install`, `Event purchase`. */
export const eventName = (event: string): string =>
  event.startsWith(OWN) ? postbacks.ownEvent(event.slice(OWN.length)) : (postbacks.events[event] ?? event);

export const isNamed = (event: string): boolean => event.trim() !== OWN;

interface Props {
  readonly value: string;
  /** Once it exists, it stays that of its event. */
  readonly readOnly: boolean;
  readonly error: string | undefined;
  readonly onChange: (event: string) => void;
}

export function EventField({ value, readOnly, error, onChange }: Props) {
  const isOwn = value.startsWith(OWN);
  return (
    <SimpleGrid cols={{ base: 1, xs: isOwn ? 2 : 1 }} spacing="sm">
      <Select
        label={texts.event}
        description={text.eventHint}
        data={CHOICES}
        value={isOwn ? OWN : value}
        allowDeselect={false}
        disabled={readOnly}
        error={isOwn ? undefined : error}
        onChange={(event) => onChange(event ?? value)}
      />
      {isOwn && (
        <TextInput
          label={text.ownName}
          description={text.ownHint}
          maxLength={MAX_NAME}
          disabled={readOnly}
          error={error}
          value={value.slice(OWN.length)}
          onChange={({ currentTarget }) => onChange(OWN + currentTarget.value)}
        />
      )}
    </SimpleGrid>
  );
}
