/** The statement behind a view, to read, copy, and open on the SQL page where the reader may. */
import { ActionIcon, Button, CopyButton, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { IconDatabase, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reportQuery, type Question } from '../api/queries';
import { useProject } from '../session';
import { curlCall } from '../shell';
import { texts } from '../texts';
import { readMessage } from './ErrorBox';
import { FormError } from './FormError';
import { Snippet } from './Snippet';
import { toPage } from '../addresses';
import { Modal } from './layers';

const text = texts.tools.sql;

/** The call as somebody with a key of the project makes it. */
export const buildCurl = (question: Question): string =>
  curlCall(`${window.location.origin}/api/v1/reporting/query`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`, 'Content-Type: application/json'],
    body: JSON.stringify(question),
  });

/** The question with its statement; a statement compares nothing, and its totals are another one. */
const withSql = ({ compare: _, include = ['organic'], ...question }: Question): Question => ({
  ...question,
  include: [...include.filter((one) => one !== 'totals'), 'sql'],
});

function SqlOfView({ question, onClose }: { readonly question: Question; readonly onClose: () => void }) {
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
          <Group gap="xs">
            <CopyButton value={buildCurl(question)}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" leftSection={<IconTerminal2 size={15} />} onClick={copy}>
                  {copied ? texts.copied : texts.tools.copyCurl}
                </Button>
              )}
            </CopyButton>
            {sql !== undefined && permissions.includes('sql') && (
              <Button
                component={Link}
                size="xs"
                {...toPage('/projects/$projectId/sql', { projectId: id })}
                state={{ statement: sql }}
              >
                {text.open}
              </Button>
            )}
          </Group>
        </Group>
        {error && <FormError message={readMessage(error)} />}
        {sql === undefined ? !error && <Skeleton h={240} /> : <Snippet code={sql} />}
      </Stack>
    </Modal>
  );
}

/** Shows the statement behind a chart or a table. */
export function ShowSql({ question }: { readonly question: Question }) {
  const [isShown, show] = useState(false);
  return (
    <>
      <Tooltip label={text.show}>
        <ActionIcon variant="subtle" color="gray" aria-label={text.show} onClick={() => show(true)}>
          <IconDatabase size={16} />
        </ActionIcon>
      </Tooltip>
      {isShown && <SqlOfView question={question} onClose={() => show(false)} />}
    </>
  );
}
