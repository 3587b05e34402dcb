/** What a link has besides the targets of its campaign, as JSON Schema (docs/contract/tracking-links.md). */
import { choice, closed, instant, list, named, nullable, optional, Type, type Static } from '../lib/schema';
import { createSchema } from './schema';
import { LINK_STATES } from './link-state';
import { UTM_NAMES } from './utm';

export const LINK_LIMITS = { tags: 20, tag: 40, edits: 1_000, rows: 1_000, values: 200 } as const;

const text = Type.String();
const textOrNull = nullable(Type.String());
const url = Type.String({ maxLength: 2048, format: 'web-url' });
/** A comma, a semicolon or a bar stands between tags in files. */
const tag = Type.String({
  minLength: 1,
  maxLength: LINK_LIMITS.tag,
  pattern: '^[^,;|\\p{Lu}\\p{Cc}\\s]+( [^,;|\\p{Lu}\\p{Cc}\\s]+)*$',
  description: 'In lower case, without commas, semicolons and bars.',
});
const utmValue = Type.String({ minLength: 1, maxLength: 256, format: 'one-line' });
export const utmSchema = closed(optional(Object.fromEntries(UTM_NAMES.map((name) => [name, utmValue]))), {
  description: 'Passed on to web pages, and stored with clicks, where the opened link has none of that name.',
});
const card = closed(
  {
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    ...optional({ description: nullable(Type.String({ maxLength: 500 })), image: nullable(url) }),
  },
  { description: 'What services show where the link is shared; null for what its target says of itself.' },
);
const orNull = <T extends object>(schema: T) => ({ ...schema, type: ['object', 'null'] }) as unknown as T;

const settings = {
  tags: list(tag, { maxItems: LINK_LIMITS.tags, uniqueItems: true }),
  utm: Type.Unsafe<Readonly<Record<string, string>> | null>(orNull(utmSchema)),
  expires_at: nullable(Type.String({ format: 'instant', description: 'From when it counts no clicks.' })),
  expired_target: nullable({ ...url, description: 'Where it leads then; null: to the website of the project.' }),
  preview: Type.Unsafe<Static<typeof card> | null>(orNull(card)),
};
export const settingsSchema = closed(optional(settings), { title: 'LinkSettings', minProperties: 1 });
export type LinkSettings = Static<typeof settingsSchema>;

export const newLinkSchema = Type.Object({ ...createSchema.properties, ...optional(settings) }, { title: 'NewLink' });

export const editsSchema = closed(
  {
    display_ids: list(text, { minItems: 1, maxItems: LINK_LIMITS.edits, uniqueItems: true }),
    ...optional({
      add_tags: settings.tags,
      remove_tags: list(text, { maxItems: LINK_LIMITS.tags }),
      active: Type.Boolean(),
      expires_at: settings.expires_at,
    }),
  },
  { title: 'LinkEdits', minProperties: 2 },
);
export type LinkEdits = Static<typeof editsSchema>;

const state = choice(LINK_STATES, { type: 'string', description: 'Whether it works, and if not what is wrong.' });
const reason = Type.String({ description: 'The same in words, with what to do.' });
export const linkSchema = named(
  'Link',
  closed({
    display_id: text,
    name: text,
    active: Type.Boolean(),
    default_link: Type.Boolean({ description: "That of the project's system campaign." }),
    domain: nullable(Type.String({ description: 'Null for a project without any domain.' })),
    short_url: nullable(Type.String({ description: 'The form for people: `https://<domain>/<display_id>`.' })),
    link: textOrNull,
    tags: list(text),
    utm: Type.Unsafe<Readonly<Record<string, string>> | null>(orNull(utmSchema)),
    expires_at: nullable(instant),
    expired_target: textOrNull,
    preview: Type.Unsafe<Static<typeof card> | null>(orNull(card)),
    state,
    reason,
    created_at: instant,
  }),
);
export const domainsSchema = closed({
  domains: list(closed({ name: text, primary: Type.Boolean(), state, reason, checked_at: nullable(instant) })),
});
export const tagsSchema = closed({
  tags: list(closed({ tag: text, links: Type.Integer({ minimum: 1 }) })),
});

const name = choice(UTM_NAMES, { type: 'string' });
export const rulesSchema = closed(
  optional({
    lower_case: Type.Boolean({ default: false, description: 'No capitals.' }),
    separator: choice(['-', '_', '.', null], {
      description: 'What stands between words: values are letters, digits and this; null for anything.',
    }),
    required: list(name, { uniqueItems: true, description: 'Of a link that has any UTM value.' }),
    allowed: closed(optional(Object.fromEntries(UTM_NAMES.map((one) => [one, list(utmValue, { maxItems: 200 })]))), {
      description: 'The values that there are of a name; any of those not listed here.',
    }),
  }),
  { title: 'UtmRules' },
);
export const rulesAnswerSchema = closed({
  rules: rulesSchema,
  used: closed(Object.fromEntries(UTM_NAMES.map((one) => [one, list(text)])), {
    description: 'Values that links of the project have, the most used first.',
  }),
});

export const importedSchema = named(
  'ImportedLinks',
  closed({
    dry_run: Type.Boolean(),
    created: Type.Integer({ minimum: 0, description: 'All rows of the file, or none.' }),
    refused: Type.Integer({ minimum: 0 }),
    rows: list(
      closed({
        line: Type.Integer({ minimum: 1, description: 'The line of the file on which the row ends.' }),
        name: text,
        outcome: choice(['created', 'would_be_created', 'refused'], { type: 'string' }),
        display_id: nullable(Type.String({ description: 'Null where it is refused, or random in a dry run.' })),
        short_url: textOrNull,
        msg: Type.String({ description: 'Why it is refused; else empty.' }),
      }),
    ),
  }),
);
