/** One board: its figures, to look at, to arrange, to share and to print. */
import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { IconCalendarEvent, IconLayoutGrid, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { toPage } from '../../addresses';
import { ApiFailure } from '../../api/client';
import { boardFiguresQuery, boardQuery, deleteBoard, type Board } from '../../api/boards';
import { BoardGrid } from '../../components/board/BoardGrid';
import { BoardTile } from '../../components/board/BoardTile';
import { useLightPrint } from '../../components/board/use-light-print';
import { ConfirmButton } from '../../components/ConfirmButton';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { CountrySource } from '../../components/Values';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { boards as text } from '../../texts/boards';
import { Arrange } from './Arrange';
import { leadToExplore } from './lead';
import { ShareBoard } from './ShareBoard';

export default function BoardPage() {
  const { id: projectId } = useProject();
  const { boardId = '' }: { boardId?: string } = useParams({ strict: false });
  const board = useQuery(boardQuery(projectId, Number(boardId)));
  if (board.error instanceof ApiFailure && board.error.status === 404)
    return (
      <PageBody>
        <PageHeader title={text.missing}>
          <Back projectId={projectId} />
        </PageHeader>
      </PageBody>
    );
  return (
    <PageBody>
      {board.error && <ErrorBox error={board.error} onRetry={() => void board.refetch()} />}
      {board.isPending && <Skeleton height={36} width={240} />}
      {board.data && <Opened key={board.data.id} board={board.data} />}
    </PageBody>
  );
}

const Back = ({ projectId }: { readonly projectId: number }) => (
  <Anchor component={Link} {...toPage('/projects/$projectId/boards', { projectId })} size="sm">
    {text.back}
  </Anchor>
);

function Opened({ board }: { readonly board: Board }) {
  const project = useProject();
  const mayChange = useMay('boards');
  const formats = useFormats();
  const figures = useQuery(boardFiguresQuery(project.id, board.id));
  useLightPrint();
  const [isArranging, setArranging] = useState(false);
  const { data } = figures;
  const lead = useMemo(() => leadToExplore(project.id), [project.id]);
  if (isArranging) return <Arrange board={board} figures={data} onClose={() => setArranging(false)} />;
  const arrange = mayChange && (
    <Button
      variant="default"
      size="xs"
      visibleFrom="sm"
      leftSection={<IconLayoutGrid size={15} />}
      onClick={() => setArranging(true)}
    >
      {text.arrange}
    </Button>
  );
  const about = data
    ? `${text.answeredAt(formats.time(data.answered_at))} · ${text.zone(data.timezone)}`
    : texts.loading;
  return (
    <>
      <PageHeader title={board.name} about={about}>
        <Tools board={board} arrange={arrange} />
      </PageHeader>
      {figures.error && <ErrorBox error={figures.error} onRetry={() => void figures.refetch()} />}
      {board.items.length === 0 && (
        <EmptyState title={text.empty} text={text.emptyText}>
          {arrange}
        </EmptyState>
      )}
      {data ? (
        <BoardGrid items={data.items}>
          {(item) => (
            <BoardTile
              item={item}
              project={project.name}
              firstDay={data.first_day}
              notes={data.annotations}
              lead={lead}
            />
          )}
        </BoardGrid>
      ) : (
        !figures.error && <BoardGrid items={board.items}>{() => <Skeleton height="100%" mih={60} />}</BoardGrid>
      )}
      {data && <CountrySource />}
      <Text size="xs" data-print="hidden">
        <Back projectId={project.id} />
      </Text>
    </>
  );
}

interface ToolsProps {
  readonly board: Board;
  /** The button that arranges it, for who may. */
  readonly arrange: ReactNode;
}

function Tools({ board, arrange }: ToolsProps) {
  const project = useProject();
  const mayChange = useMay('boards');
  const navigate = useNavigate();
  return (
    <>
      {mayChange && <ShareBoard projectId={project.id} board={board} />}
      {arrange}
      {mayChange && (
        <Button
          component={Link}
          {...toPage(
            '/projects/$projectId/schedules',
            { projectId: project.id },
            { edit: 'new', board: String(board.id) },
          )}
          variant="default"
          size="xs"
          leftSection={<IconCalendarEvent size={15} />}
        >
          {text.schedule}
        </Button>
      )}
      <Button variant="default" size="xs" leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
        {text.print}
      </Button>
      {mayChange && (
        <ConfirmButton
          label={texts.delete}
          size="xs"
          title={texts.deleteTitle(board.name)}
          text={text.deleteText}
          confirm={texts.delete}
          done={text.deleted(board.name)}
          action={async () => {
            await deleteBoard(project.id, board.id);
            void navigate(toPage('/projects/$projectId/boards', { projectId: project.id }));
          }}
        />
      )}
    </>
  );
}
