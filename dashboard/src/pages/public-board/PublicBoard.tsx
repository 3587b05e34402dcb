/** A board as whoever has its link sees it: without navigation, signed in or not. */
import { Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../../api/client';
import { publicBoardQuery, type PublicBoard as Answer } from '../../api/boards';
import { BoardGrid } from '../../components/board/BoardGrid';
import { BoardTile } from '../../components/board/BoardTile';
import { useLightPrint } from '../../components/board/use-light-print';
import { ErrorBox } from '../../components/ErrorBox';
import { CountrySource } from '../../components/Values';
import { createFormats } from '../../format';
import { FormatsContext } from '../../formats-context';
import { Logo } from '../../shell/Logo';
import { texts } from '../../texts';
import { boards } from '../../texts/boards';
import { learnModel } from '../../texts/metrics';
import { CenteredCard } from '../CenteredCard';
import classes from './PublicBoard.module.css';

const text = boards.public;

export default function PublicBoard() {
  const [token] = useState(() => window.location.hash.slice(1));
  const board = useQuery({ ...publicBoardQuery(token), enabled: token !== '' });
  const isGone = token === '' || (board.error instanceof ApiFailure && board.error.status === 404);
  if (isGone)
    return (
      <CenteredCard title={text.gone}>
        <Text size="sm">{text.goneText}</Text>
      </CenteredCard>
    );
  if (board.error)
    return (
      <CenteredCard title={texts.product}>
        <ErrorBox error={board.error} onRetry={() => void board.refetch()} />
      </CenteredCard>
    );
  if (!board.data)
    return (
      <main className={classes.ground} aria-busy aria-label={text.waiting}>
        <Skeleton height={40} width={280} mb="lg" />
        <Skeleton height={320} />
      </main>
    );
  return <Opened answer={board.data} />;
}

function Opened({ answer }: { readonly answer: Answer }) {
  // Before anything is drawn with them.
  const [formats] = useState(() => {
    learnModel(answer.model);
    return createFormats(answer.currency, answer.timezone, answer.locale);
  });
  useLightPrint();
  useEffect(() => {
    document.title = `${answer.board} · ${answer.project}`;
  }, [answer.board, answer.project]);
  return (
    <FormatsContext value={formats}>
      <main className={classes.ground}>
        <Stack gap="md">
          <Group justify="space-between" align="flex-start">
            <div>
              <Title order={1}>{answer.board}</Title>
              <Text size="sm" c="dimmed">
                {answer.project} · {boards.answeredAt(formats.time(answer.answered_at))} ·{' '}
                {boards.zone(answer.timezone)}
              </Text>
            </div>
            <Box aria-hidden>
              <Logo size={24} />
            </Box>
          </Group>
          <BoardGrid items={answer.items}>
            {(item) => (
              <BoardTile item={item} project={answer.project} firstDay={answer.first_day} notes={answer.annotations} />
            )}
          </BoardGrid>
          <CountrySource />
        </Stack>
      </main>
    </FormatsContext>
  );
}
