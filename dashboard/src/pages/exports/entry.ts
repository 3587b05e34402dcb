/** What the form of an export holds, and what is sent of it. */
import type { SavedQuestion } from '../../api/boards';
import type { ExportEntry } from '../../api/exports';

export interface Values {
  readonly name: string;
  /** A kind of records, or `question-` with the ID of a saved question. */
  readonly kind: string;
  readonly format: ExportEntry['format'];
  readonly every: ExportEntry['every'];
  readonly type: ExportEntry['destination']['type'];
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
  readonly path: string;
  readonly from: string;
}

export const NEW: Values = {
  name: '',
  kind: 'installs',
  format: 'parquet',
  every: 'day',
  type: 's3',
  bucket: '',
  prefix: '',
  region: '',
  endpoint: '',
  key: '',
  secret: '',
  path: '',
  from: '',
};

const QUESTION = 'question-';
export const nameQuestion = (id: number) => `${QUESTION}${id}`;
export const isQuestion = ({ kind }: Pick<Values, 'kind'>) => kind.startsWith(QUESTION);

/** Each period has days of its own, and all of its rows. */
const LEFT_OUT = ['from', 'to', 'range', 'chart', 'compare', 'limit', 'offset'];

function readKind(kind: string, questions: readonly SavedQuestion[]): ExportEntry['kind'] {
  const saved = questions.find(({ id }) => nameQuestion(id) === kind);
  // The choices of the form have no others.
  if (!saved) return kind as ExportEntry['kind'];
  const query = Object.fromEntries(Object.entries(saved.question).filter(([name]) => !LEFT_OUT.includes(name)));
  return { query } as object as ExportEntry['kind'];
}

const keepFilled = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<T>;

export function readExportEntry(values: Values, questions: readonly SavedQuestion[]): ExportEntry {
  const { name, kind, format, type, bucket, prefix, region, endpoint, key, secret, path, from } = values;
  const destination =
    type === 's3'
      ? { type, bucket, prefix, ...keepFilled({ region, endpoint, key, secret }) }
      : ({ type, path } as const);
  // A question is exported by the day.
  const every = isQuestion(values) ? 'day' : values.every;
  const entry = { name: name.trim(), kind: readKind(kind, questions), format, every, destination };
  return { ...entry, ...keepFilled({ from }) };
}
