/** Opens what an export is written from: the records of a view, or the rows of a question. */
import type { RecordKind } from '../files/kinds';
import { openQuestion } from './question-source';
import type { ExportRow } from './scheduled-queries';
import type { Source, SourceParts } from './source';
import { openView } from './view-source';

export const openSource = (parts: SourceParts, row: ExportRow): Source =>
  row.kind === 'query' ? openQuestion(parts, row) : openView(parts, row, row.kind as RecordKind);
