/** The forms of templates of postbacks and of their secrets, as single routes take and answer them. */
import * as fields from '../configuration/postbacks/fields';
import { closed, instant, mapTo, named, nullable, Type } from '../lib/schema';

const id = Type.Integer({ minimum: 1 });
const { eventField: event, request, state } = fields;

export const requestSchema = closed(fields.givenRequest, { title: 'PostbackRequest' });
export const postbackSchema = closed({ ...fields.givenRequest, ...fields.enabled }, { title: 'PostbackTemplate' });
export const overrideSchema = closed(fields.givenOverride, { title: 'PostbackOverride' });
export const secretSchema = closed({ value: fields.secret.value }, { title: 'PostbackSecret' });

export const storedPostback = named('StoredPostback', closed({ id, event, ...request, ...state }));
export const storedOverride = named(
  'StoredPostbackOverride',
  closed({
    id,
    event,
    partner_id: { ...nullable(id), description: 'Null for every partner.' },
    partner: nullable(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })),
    ...fields.overriding,
    ...state,
  }),
);
export const storedSecret = named(
  'StoredPostbackSecret',
  closed({
    name: Type.String(),
    created_at: instant,
    changed_at: { ...instant, description: 'When it was set last.' },
  }),
);
export const renderedSchema = named(
  'RenderedPostback',
  closed({
    method: request.method,
    url: Type.String(),
    headers: mapTo(Type.String()),
    body: nullable(Type.String()),
  }),
);
