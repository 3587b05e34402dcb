/** The questions that the project keeps: to open one, and to keep the one of the page. */
import { Button, Menu, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconDeviceFloppy, IconPencil } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectApi, unwrapData } from '../../api/client';
import { MAX_NAME } from '../../api/generated-limits';
import { queryClient } from '../../api/queries';
import { FormModal } from '../../components/FormModal';
import type { Period } from '../../period';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import { choices } from './choices';
import { Manage } from './Manage';
import type { View } from './questions';
import { keepQuestion, readKept, suggestChart, type Drawn } from './saved';

interface Props {
  readonly view: View;
  readonly period: Period;
  /** Those of a chart over time. */
  readonly lines: readonly string[] | undefined;
  readonly onOpen: (view: Partial<View>) => void;
}

const LISTED = 200;

export function Saved({ view, period, lines, onOpen }: Props) {
  const { id } = useProject();
  const mayKeep = useMay('boards');
  const [isOpen, { open, close }] = useDisclosure();
  const [isManaged, { open: manage, close: endManaging }] = useDisclosure();
  const [isListed, setListed] = useState(false);
  const { data } = useQuery({
    queryKey: ['questions', id, 'list'],
    queryFn: ({ signal }) =>
      unwrapData(projectApi(id).GET('/api/v1/questions', { params: { query: { page: 1, limit: LISTED } }, signal })),
    enabled: isListed || isManaged,
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md" onChange={setListed}>
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconBookmark size={15} />}>
            {text.saved.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          {mayKeep && (
            <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={open}>
              {text.saved.save}
            </Menu.Item>
          )}
          {mayKeep && (data?.questions.length ?? 0) > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={manage}>
              {text.saved.manage}
            </Menu.Item>
          )}
          {data?.questions.map((one) => (
            <Menu.Item key={one.id} onClick={() => onOpen(readKept(one.question))}>
              {one.name}
            </Menu.Item>
          ))}
          {data?.questions.length === 0 && <Menu.Label>{text.saved.none}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {isManaged && data && <Manage questions={data.questions} onClose={endManaging} />}
      {isOpen && <Keep view={view} period={period} lines={lines} onClose={close} />}
    </>
  );
}

function Keep({ view, period, lines, onClose }: Omit<Props, 'onOpen'> & { onClose: () => void }) {
  const { id } = useProject();
  const [name, setName] = useState('');
  const [chart, setChart] = useState<Drawn>(suggestChart(view));
  const keep = useMutation({
    mutationFn: () =>
      unwrapData(
        projectApi(id).POST('/api/v1/questions', {
          body: { name: name.trim(), question: keepQuestion(view, period, chart, lines) },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['questions', id] });
      notifications.show({ message: text.saved.done(name.trim()) });
      onClose();
    },
  });
  return (
    <FormModal
      title={text.saved.save}
      error={keep.error}
      isSaving={keep.isPending}
      isDirty={name !== ''}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <TextInput
        label={texts.name}
        required
        maxLength={MAX_NAME}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label={text.saved.chart}
        allowDeselect={false}
        value={chart}
        data={choices(text.saved.charts)}
        onChange={(next) => setChart(next ?? chart)}
      />
    </FormModal>
  );
}
