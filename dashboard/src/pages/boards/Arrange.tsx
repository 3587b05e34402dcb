/** A board while it is arranged: items are dragged, resized, added and taken off, by pointer or keyboard. */
import { ActionIcon, Button, Checkbox, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconGripVertical, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState, type KeyboardEvent } from 'react';
import ReactGridLayout, { useContainerWidth, verticalCompactor, type Layout } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { changeBoard, type Board, type BoardFigures } from '../../api/boards';
import { MAX_NAME } from '../../api/generated-limits';
import { BoardTile } from '../../components/board/BoardTile';
import { COLUMNS, GAP, MAX_HEIGHT, moveByKey, ROW_HEIGHT } from '../../components/board/places';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { LeaveWarning } from '../../components/LeaveWarning';
import { PageHeader } from '../../components/page-header';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { boards as text } from '../../texts/boards';
import { AddItem } from './AddItem';
import classes from './Boards.module.css';
import { addItem, beginArranging, showItem, toEntries, type Arranged } from './arranged';

interface Props {
  readonly board: Board;
  readonly figures: BoardFigures | undefined;
  readonly onClose: () => void;
}

const toLayout = (items: readonly Arranged[]): Layout =>
  items.map(({ key, x, y, w, h }) => ({ i: key, x, y, w, h, minW: 1, minH: 1, maxH: MAX_HEIGHT }));

/** The items on the places of a layout. */
function placeItems(items: readonly Arranged[], layout: Layout): Arranged[] {
  const places = new Map(layout.map((place) => [place.i, place]));
  return items.map((item) => {
    const { x, y, w, h } = places.get(item.key) ?? item;
    return { ...item, x, y, w, h };
  });
}
const compact = (items: readonly Arranged[]) => placeItems(items, verticalCompactor.compact(toLayout(items), COLUMNS));

export function Arrange({ board, figures, onClose }: Props) {
  const { id: projectId } = useProject();
  const begun = useMemo(() => compact(beginArranging(board)), []);
  const [items, setItems] = useState<readonly Arranged[]>(begun);
  const [name, setName] = useState(board.name);
  const [hasNotes, setNotes] = useState(board.annotations);
  const save = useMutation({
    mutationFn: () => changeBoard(projectId, board.id, { name, items: toEntries(items), annotations: hasNotes }),
    onSuccess: onClose,
  });
  const isDirty =
    name !== board.name ||
    hasNotes !== board.annotations ||
    JSON.stringify(toEntries(items)) !== JSON.stringify(toEntries(begun));
  return (
    <>
      <PageHeader title={board.name} about={text.arrangeAbout}>
        <AddItem
          projectId={projectId}
          count={items.length}
          onAdd={(added) => setItems(compact(addItem(items, added)))}
        />
        <Button variant="default" size="xs" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button size="xs" loading={save.isPending} onClick={() => save.mutate()}>
          {texts.save}
        </Button>
      </PageHeader>
      {save.error && <FormError message={readMessage(save.error)} />}
      <Group>
        <TextInput
          size="xs"
          w={320}
          label={text.rename}
          maxLength={MAX_NAME}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          size="xs"
          mt="lg"
          label={text.annotations}
          checked={hasNotes}
          onChange={({ currentTarget }) => setNotes(currentTarget.checked)}
        />
      </Group>
      <Ground items={items} figures={figures} onPlace={setItems} />
      <LeaveWarning when={isDirty && !save.isPending && !save.isSuccess} />
    </>
  );
}

interface GroundProps {
  readonly items: readonly Arranged[];
  readonly figures: BoardFigures | undefined;
  readonly onPlace: (items: readonly Arranged[]) => void;
}

/** The items on their places, each with a handle. */
function Ground({ items, figures, onPlace }: GroundProps) {
  const { name: project } = useProject();
  const [said, setSaid] = useState('');
  const { width, containerRef, mounted } = useContainerWidth();
  const press = (at: number) => (event: KeyboardEvent) => {
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    const next = compact(moveByKey(items, at, event.key, event.shiftKey));
    onPlace(next);
    const moved = next[at];
    if (moved) setSaid(text.placed(moved.title, moved));
  };
  return (
    <>
      {items.length === 0 && <Text c="dimmed">{text.empty}</Text>}
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      <div ref={containerRef} className={classes.ground}>
        {mounted && (
          <ReactGridLayout
            width={width}
            layout={toLayout(items)}
            gridConfig={{ cols: COLUMNS, rowHeight: ROW_HEIGHT, margin: [GAP, GAP], containerPadding: [0, 0] }}
            dragConfig={{ handle: `.${classes.handle}` }}
            onLayoutChange={(layout) => onPlace(placeItems(items, layout))}
          >
            {items.map((item, at) => (
              <div key={item.key} className={classes.arranged}>
                <BoardTile
                  item={showItem(item, figures)}
                  project={project}
                  firstDay={figures?.first_day ?? null}
                  tools={
                    <>
                      <ActionIcon
                        size="sm"
                        className={classes.handle}
                        aria-label={text.handle(item.title)}
                        onKeyDown={press(at)}
                      >
                        <IconGripVertical size={16} />
                      </ActionIcon>
                      <ActionIcon
                        size="sm"
                        aria-label={text.takeOff(item.title)}
                        onClick={() => onPlace(compact(items.filter((one) => one !== item)))}
                      >
                        <IconX size={16} />
                      </ActionIcon>
                    </>
                  }
                />
              </div>
            ))}
          </ReactGridLayout>
        )}
      </div>
    </>
  );
}
