/** Asks before a dialog is closed, or its page left, whose form has changes that are not saved. */
import { useEffect, useState, type ReactNode } from 'react';
import { LeaveWarning, LoseChanges } from './LeaveWarning';

export interface CloseGuard {
  /** For every way to close it without saving. */
  readonly close: () => void;
  /** False while the question is open, whose Escape must not close the dialog below it. */
  readonly closeOnEscape: boolean;
  /** To be rendered beside the dialog. */
  readonly warning: ReactNode;
}

/** `isDirty`: whether closing would lose something now; false while it is being saved. */
export function useCloseGuard(isDirty: boolean, onClose: () => void): CloseGuard {
  const [asks, setAsks] = useState(false);
  return {
    close: () => (isDirty ? setAsks(true) : onClose()),
    closeOnEscape: !asks,
    warning: (
      <>
        <LeaveWarning when={isDirty} />
        <LoseChanges
          opened={asks}
          onLose={() => {
            setAsks(false);
            onClose();
          }}
          onKeep={() => setAsks(false)}
        />
      </>
    ),
  };
}

/** Tells the dialog around a form whether the form has changes; none once it is gone. */
export function useReportDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
