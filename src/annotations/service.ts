/** Writes, changes and deletes notes; the audit log has who did (docs/contract/boards.md). */
import { changeAs, type Actor } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import { ApiError } from '../errors';
import type { AnnotationRow } from '../questions/annotations';

/** Notes of a project. */
export const MAX_ANNOTATIONS = 5_000;

export interface AnnotationEntry {
  readonly day: string;
  readonly text: string;
}

const create = postgresQuery<AnnotationRow>('annotations.create');
const change = postgresQuery<AnnotationRow>('annotations.change');
const remove = postgresQuery<{ id: number }>('annotations.delete');

const missing = () => new ApiError(404, 'Annotation not found.');

/** @throws ApiError 409 when the project has as many as it may. */
export async function createAnnotation(postgres: Postgres, actor: Actor, projectId: number, entry: AnnotationEntry) {
  const { day, text } = entry;
  const [made] = await changeAs(postgres, actor, (db) => create(db, projectId, day, text, actor.name, MAX_ANNOTATIONS));
  if (!made) throw new ApiError(409, `A project has at most ${MAX_ANNOTATIONS} annotations.`);
  return made;
}

/** @throws ApiError 404 where the project has no such note. */
export async function changeAnnotation(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  id: number,
  { day, text }: AnnotationEntry,
) {
  const [changed] = await changeAs(postgres, actor, (db) => change(db, projectId, id, day, text));
  if (!changed) throw missing();
  return changed;
}

/** @throws ApiError 404 where the project has no such note. */
export async function deleteAnnotation(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<void> {
  const [deleted] = await changeAs(postgres, actor, (db) => remove(db, projectId, id));
  if (!deleted) throw missing();
}
