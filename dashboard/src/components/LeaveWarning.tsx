/** Asks before a page is left whose form has changes that are not saved: by a link, by going back, by closing it. */
import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts';
import { Confirm } from './Confirm';

export function LeaveWarning({ when }: { when: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  return <LoseChanges opened={status === 'blocked'} onLose={() => proceed?.()} onKeep={() => reset?.()} />;
}

interface Props {
  readonly opened: boolean;
  readonly onLose: () => void;
  readonly onKeep: () => void;
}

export const LoseChanges = ({ opened, onLose, onKeep }: Props) => (
  <Confirm
    opened={opened}
    title={texts.loseTitle}
    text={texts.loseText}
    action={texts.lose}
    onConfirm={onLose}
    onClose={onKeep}
  />
);
