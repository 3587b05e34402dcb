/** The saved queries of a project: open, save, save as new, delete. */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectApi } from '../../api/client';
import { queryClient } from '../../api/queries';
import { savedQueriesQuery, type SavedQuery } from '../../api/sql';
import { ConfirmButton } from '../../components/ConfirmButton';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { SaveForm } from './SaveForm';
import classes from './Sql.module.css';

const text = engineersTexts.sql;

interface Props {
  readonly statement: string;
  readonly onOpen: (statement: string) => void;
}

export function Saved({ statement, onOpen }: Props) {
  const { id } = useProject();
  const { data, error, refetch } = useQuery(savedQueriesQuery(id));
  const [openId, setOpenId] = useState<number>();
  const open = data?.find((one) => one.id === openId);
  return (
    <Panel title={text.saved} about={open && text.opened(open.name)}>
      <SaveForm key={openId} statement={statement} open={open} onSaved={(saved) => setOpenId(saved.id)} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {text.savedEmpty}
        </Text>
      )}
      <div className={classes.saved}>
        {data?.map((one) => (
          <Entry
            key={one.id}
            saved={one}
            projectId={id}
            onOpen={() => {
              setOpenId(one.id);
              onOpen(one.query);
            }}
          />
        ))}
      </div>
    </Panel>
  );
}

function Entry({ saved, projectId, onOpen }: { saved: SavedQuery; projectId: number; onOpen: () => void }) {
  const { time } = useFormats();
  return (
    <div className={classes.entry}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Anchor component="button" type="button" size="sm" aria-label={text.open(saved.name)} onClick={onOpen}>
          {saved.name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {text.by(saved.created_by, time(saved.updated_at))}
        </Text>
      </div>
      <ConfirmButton
        label={texts.delete}
        name={texts.deleteNamed(saved.name)}
        title={texts.deleteTitle(saved.name)}
        text={text.removeText}
        confirm={texts.delete}
        done={text.removed}
        action={async () => {
          await projectApi(projectId).DELETE('/api/v1/saved-queries/{id}', { params: { path: { id: saved.id } } });
          await queryClient.invalidateQueries({ queryKey: savedQueriesQuery(projectId).queryKey });
        }}
      />
    </div>
  );
}
