/** The form of a web event (docs/contract.md, Collectors), as JSON Schema and as a type. */

const text = { type: 'string', minLength: 1, maxLength: 255 } as const;
/** As long as an event may be. */
const longText = { type: 'string', minLength: 1 } as const;

/** A field that is null or empty counts as not sent; unknown fields are ignored. */
export const webEventSchema = {
  type: 'object',
  required: ['event_id', 'type', 'time', 'visitor_id', 'session_id', 'url'],
  properties: {
    event_id: text,
    type: { enum: ['page_view', 'event'] },
    time: { type: 'string', format: 'instant' },
    visitor_id: text,
    session_id: text,
    url: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
    name: text,
    user_id: text,
    referrer: longText,
    revenue: { type: 'number', minimum: -1e15, maximum: 1e15 },
    properties: { type: 'object' },
    ip: { type: 'string', maxLength: 64 },
    ua: { type: 'string', maxLength: 2048 },
  },
} as const;

export interface WebEvent {
  readonly event_id: string;
  readonly type: 'page_view' | 'event';
  readonly time: string;
  readonly visitor_id: string;
  readonly session_id: string;
  readonly url: string;
  readonly name?: string;
  readonly user_id?: string;
  readonly referrer?: string;
  readonly revenue?: number;
  readonly properties?: object;
  readonly ip?: string;
  readonly ua?: string;
}
