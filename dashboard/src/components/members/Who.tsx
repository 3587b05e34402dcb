/** A person in a list of members. */
import { Badge, Group, Text } from '@mantine/core';
import type { Member } from '../../api/people';
import { members as text } from '../../texts/members';

export const Who = ({ member: { name, email }, isSelf }: { member: Member; isSelf: boolean }) => (
  <div>
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {isSelf && (
        <Badge size="xs" variant="light">
          {text.you}
        </Badge>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {email}
    </Text>
  </div>
);
