/** The statement that is typed, the one that was asked last, and its answer. */
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../../api/client';
import { queryClient } from '../../api/queries';
import { sqlQuery } from '../../api/sql';
import { useView } from '../../search';
import { useHistory } from './history';
import { MAX_IN_URL, sqlSearch } from './search';

export function useStatement(projectId: number, first: string) {
  const [{ query }, setView] = useView(sqlSearch);
  // That of a view which leads here.
  const given = useLocation({ select: ({ state }) => state.statement });
  const [typed, setTyped] = useState(query ?? given ?? first);
  // A statement that the URL cannot hold.
  const [long, setLong] = useState(query === undefined ? given : undefined);
  const asked = long ?? query;
  const answer = useQuery(sqlQuery(projectId, asked));
  const history = useHistory(projectId);
  useEffect(() => {
    if (query !== undefined) setTyped(query);
  }, [query]);
  const run = (statement: string) => {
    if (statement.trim() === '') return;
    history.note(statement);
    if (statement === asked) return void answer.refetch();
    const fits = statement.length <= MAX_IN_URL;
    setLong(fits ? undefined : statement);
    setView({ query: fits ? statement : undefined, x: undefined, y: undefined, across: undefined, sort: undefined });
  };
  const open = (statement: string) => {
    setTyped(statement);
    run(statement);
  };
  const cancel = () => void queryClient.cancelQueries({ queryKey: sqlQuery(projectId, asked).queryKey });
  const { error } = answer;
  const refused =
    asked !== undefined && error instanceof ApiFailure ? { statement: asked, message: error.message } : undefined;
  return { typed, setTyped, asked, answer, run, open, cancel, history, refused };
}
