/** The form of a web event (docs/contract/collectors.md). */
import { anyObject, choice, optional, Type, type Static } from '../../lib/schema';

const text = Type.String({ minLength: 1, maxLength: 255 });
/** As long as an event may be. */
const longText = Type.String({ minLength: 1 });

/** A field that is null or empty counts as not sent; unknown fields are ignored. */
export const webEventSchema = Type.Object({
  event_id: text,
  type: choice(['page_view', 'event']),
  time: Type.String({ format: 'instant' }),
  visitor_id: text,
  session_id: text,
  url: Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' }),
  ...optional({
    name: text,
    user_id: text,
    referrer: longText,
    revenue: Type.Number({ minimum: -1e15, maximum: 1e15, description: 'Or a text that is a number.' }),
    properties: anyObject,
    ip: Type.String({ maxLength: 64 }),
    ua: Type.String({ maxLength: 2048 }),
  }),
});
export type WebEvent = Static<typeof webEventSchema>;
