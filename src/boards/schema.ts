/** What the endpoints of questions, boards and links take and answer, as JSON Schema (docs/contract/boards.md). */
import { choice, closed, givenName, instant, list, named, nullable, optional, Type, type Static } from '../lib/schema';
import { paginationSchema } from '../openapi/operation';
import { answerSchema } from '../questions/answer-schema';
import { modelsSchema } from '../questions/model-schema';
import { CHARTS, questionSchema } from '../questions/question';
import { TEMPLATES } from './templates';

/** Items of a page of a list. */
export const PAGE = { default: 100, maximum: 200 } as const;

const id = Type.Integer({ minimum: 1 });
const made = {
  created_by: Type.String({ description: 'Who made it.' }),
  created_at: instant,
};

export const questionEntrySchema = closed({ name: givenName, question: questionSchema });
export const savedQuestionSchema = named(
  'SavedQuestion',
  closed({ id, name: Type.String(), question: questionSchema, ...made, updated_at: instant }),
);
export const questionListSchema = closed({ questions: list(savedQuestionSchema), pagination: paginationSchema });

/** Boards of a project, and links to one that work at a time. */
export const MAX_BOARDS = 200;
export const MAX_LINKS = 20;
const MAX_ITEMS = 50;
/** The grid: columns, and how far down and how high an item may be. */
export const GRID = { columns: 12, rows: 1_000, height: 20 } as const;
/** The most rows of an answer on a board. */
export const BOARD_ROWS = 1_000;

const place = {
  x: Type.Integer({ minimum: 0, maximum: GRID.columns - 1, description: 'First column, from 0.' }),
  y: Type.Integer({ minimum: 0, maximum: GRID.rows, description: 'First row, from 0.' }),
  w: Type.Integer({ minimum: 1, maximum: GRID.columns, description: 'Columns; x and w must fit into 12.' }),
  h: Type.Integer({ minimum: 1, maximum: GRID.height, description: 'Rows.' }),
};
const itemEntries = list(
  closed({
    ...optional({
      question_id: Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'The question; or else `heading`.' }),
      heading: givenName,
    }),
    ...place,
  }),
  { maxItems: MAX_ITEMS },
);
const annotations = Type.Boolean({
  default: false,
  description: 'Whether its charts show the notes of the project, to whoever has a public link too.',
});
export const newBoardSchema = closed({
  name: givenName,
  ...optional({
    annotations,
    template: choice(TEMPLATES, { type: 'string', description: 'Instead of `items`: makes its questions too.' }),
    items: itemEntries,
  }),
});
export const boardEntrySchema = closed({ name: givenName, items: itemEntries, ...optional({ annotations }) });

const text = Type.String();
const board = { id, name: text, ...made, updated_at: instant };
export const boardSchema = named(
  'Board',
  closed({
    ...board,
    annotations: Type.Boolean(),
    items: list(
      closed({
        question_id: nullable(id),
        title: { ...nullable(text), description: 'Name of the question.' },
        heading: nullable(text),
        ...place,
      }),
    ),
  }),
);
const count = Type.Integer({ minimum: 0 });
export const boardListSchema = closed({
  boards: list(
    named(
      'ListedBoard',
      closed({ ...board, items: count, links: { ...count, description: 'Public links that work.' } }),
    ),
  ),
  pagination: paginationSchema,
});

export const linkEntrySchema = closed(
  optional({
    expires_at: Type.String({ format: 'instant', description: 'In 90 days unless sent; at most in a year.' }),
  }),
);
const link = { id, ...made, expires_at: instant, revoked_at: nullable(instant) };
export const linkSchema = named('BoardLink', closed(link));
export const linkListSchema = closed({ links: list(linkSchema) });
export const newLinkSchema = named(
  'NewBoardLink',
  closed({
    ...link,
    token: { ...text, description: 'Shown this once.' },
    url: { ...text, description: 'The page that shows the board; the token is in its fragment.' },
  }),
);

const figures = {
  project: { ...text, description: 'Its name.' },
  board: { ...text, description: 'Its name.' },
  currency: text,
  timezone: text,
  locale: { ...text, description: 'How its numbers and days are written.' },
  answered_at: { ...instant, description: 'When the figures were computed.' },
  first_day: {
    ...nullable(Type.String({ format: 'date' })),
    description: 'The first with data, where a question compares: a range that begins before it is not full.',
  },
  annotations: {
    ...list(closed({ day: Type.String({ format: 'date' }), text })),
    description: 'Notes of these days, where the board shows them.',
  },
};
const figuresItem = {
  heading: nullable(text),
  title: { ...nullable(text), description: 'Name of the question.' },
  chart: choice([...CHARTS, null], { type: ['string', 'null'] }),
  ...place,
  figures: Type.Unsafe<Static<typeof answerSchema> | null>({
    anyOf: [answerSchema, { type: 'null' }],
    description: 'As the query endpoint answers; null for a heading, and where there is an error.',
  }),
  complete: Type.Unsafe<Static<typeof answerSchema> | null>({
    anyOf: [answerSchema, { type: 'null' }],
    description:
      'Where it compares and its last day is not over: the same of the days that are, and of as many before. ' +
      'Changes are measured by it.',
  }),
  earlier: Type.Unsafe<Static<typeof answerSchema> | null>({
    anyOf: [answerSchema, { type: 'null' }],
    description:
      'Where a chart over time compares with a range that has more days than its own: the same of that range.',
  }),
  error: Type.Unsafe<{ msg: string; status: number } | null>({
    anyOf: [closed({ msg: text, status: Type.Integer() }), { type: 'null' }],
    description: 'Why there is no answer; null where there is one.',
  }),
};
export const boardFiguresSchema = named(
  'BoardFigures',
  closed({ ...figures, items: list(closed({ question_id: nullable(id), ...figuresItem })) }),
);
export const publicBoardSchema = named(
  'PublicBoard',
  closed({ ...figures, items: list(closed(figuresItem)), model: modelsSchema }),
);
