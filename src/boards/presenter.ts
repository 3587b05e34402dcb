/** Questions, boards and links as answers (docs/contract/boards.md). */
import type { SavedQuestion } from '../questions/saved';

export const presentQuestion = ({ id, name, question, created_by, created_at, updated_at }: SavedQuestion) => ({
  id,
  name,
  question,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
