/** The statement behind a view, to read, copy, and open on the SQL page where the reader may. */
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reportQuery, type Question } from '../api/queries';
import { useProject } from '../session';
import { texts } from '../texts';
import { messageOf } from './ErrorBox';
import { FormError } from './FormError';
import { Snippet } from './Snippet';

const text = texts.tools.sql;

/** The question with its statement; a statement compares nothing, and its totals are another one. */
const withSql = ({ compare: _, include = ['organic'], ...question }: Question): Question => ({
  ...question,
  include: [...include.filter((one) => one !== 'totals'), 'sql'],
});

export function SqlOfView({ question, onClose }: { readonly question: Question; readonly onClose: () => void }) {
  const { id, permissions } = useProject();
  const { data, error } = useQuery(reportQuery(id, withSql(question)));
  const sql = data?.sql;
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.title}
      closeButtonProps={{ 'aria-label': texts.close }}
      size="xl"
      centered
    >
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {text.about}
          </Text>
          {sql !== undefined && permissions.includes('sql') && (
            <Button component={Link} size="xs" to={`/projects/${id}/sql`} state={{ statement: sql }}>
              {text.open}
            </Button>
          )}
        </Group>
        {error && <FormError message={messageOf(error)} />}
        {sql === undefined ? !error && <Skeleton h={240} /> : <Snippet code={sql} />}
      </Stack>
    </Modal>
  );
}
