/** The questions that the project keeps: renamed and deleted. */
import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { projectApi, unwrapData } from '../../api/client';
import { MAX_NAME } from '../../api/generated-limits';
import { queryClient } from '../../api/queries';
import { ConfirmButton } from '../../components/ConfirmButton';
import { readMessage } from '../../components/ErrorBox';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { explore } from '../../texts/explore';
import type { SavedQuestion } from './saved';
import { Modal } from '../../components/layers';

const text = explore.saved;

interface Props {
  readonly questions: readonly SavedQuestion[];
  readonly onClose: () => void;
}

export function Manage({ questions, onClose }: Props) {
  return (
    <Modal opened centered title={text.manage} onClose={onClose} closeButtonProps={{ 'aria-label': texts.close }}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {text.manageAbout}
        </Text>
        {questions.map((one) => (
          <Kept key={one.id} kept={one} />
        ))}
        {questions.length === 0 && <Text size="sm">{text.none}</Text>}
      </Stack>
    </Modal>
  );
}

function Kept({ kept }: { readonly kept: SavedQuestion }) {
  const { id: projectId } = useProject();
  const [name, setName] = useState(kept.name);
  const params = { path: { id: kept.id } };
  const forget = () => queryClient.invalidateQueries({ queryKey: ['questions', projectId] });
  const rename = useMutation({
    mutationFn: () =>
      unwrapData(
        projectApi(projectId).PUT('/api/v1/questions/{id}', {
          params,
          body: { name: name.trim(), question: kept.question },
        }),
      ),
    onSuccess: forget,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          size="xs"
          style={{ flex: 1 }}
          required
          maxLength={MAX_NAME}
          aria-label={text.nameLabel(kept.name)}
          error={rename.error && readMessage(rename.error)}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ActionIcon
          type="submit"
          aria-label={text.rename(kept.name)}
          disabled={name.trim() === '' || name.trim() === kept.name}
          loading={rename.isPending}
        >
          <IconCheck size={16} />
        </ActionIcon>
        <ConfirmButton
          label={texts.delete}
          name={text.remove(kept.name)}
          title={texts.deleteTitle(kept.name)}
          text={text.removeText}
          confirm={texts.delete}
          done={text.removed(kept.name)}
          action={async () => {
            await projectApi(projectId).DELETE('/api/v1/questions/{id}', { params });
            await forget();
          }}
        />
      </Group>
    </form>
  );
}
