/** What is answered about single touches and refused requests (docs/contract/partners.md). */
import { choice, closed, instant, list, named, nullable, Type } from '../lib/schema';
import { KINDS } from './touch-input';

const text = Type.String();
const maybe = nullable(text);
const kind = choice(KINDS, { type: 'string' });
const place = closed({ id: Type.Integer({ minimum: 1 }), name: text });
const campaign = nullable(closed({ display_id: text, name: text }));

export const refusedSchema = named(
  'RefusedRequest',
  closed({
    id: Type.Integer({ minimum: 1, description: 'Number of the sample.' }),
    received_at: instant,
    kind,
    reason: Type.String({ description: 'As the answer gave it.' }),
    tid: maybe,
    query: Type.String({
      description: 'What was sent, as a query string: without token, advertising IDs cut, addresses as networks.',
    }),
    project: nullable(place),
    partner: place,
    campaign,
  }),
);
export const refusedPageSchema = closed({
  requests: list(refusedSchema),
  next_before: nullable(Type.Integer({ description: '`before` of the next page; null on the last.' })),
});

export const foundSchema = named(
  'FoundTouches',
  closed({
    touches: list(
      named(
        'FoundTouch',
        closed({
          touch_type: kind,
          touch_id: Type.String({ description: '`click_id` or `impression_id` of the answer.' }),
          source: choice(['s2s', 'link', 'import'], { type: 'string' }),
          project: place,
          campaign,
          partner: nullable(place),
          tid: maybe,
          s2: maybe,
          s3: maybe,
          s4: maybe,
          touch_time: instant,
          received_at: { ...instant, description: 'When it was accepted first.' },
          app_id: maybe,
          domain: maybe,
          country: maybe,
          matches_by: list(choice(['gaid', 'idfa', 'ip'], { type: 'string' }), {
            description: 'What an install can be matched with it by.',
          }),
          state: choice(['credited', 'not_credited', 'waiting'], {
            type: 'string',
            description: '`waiting`: no install has considered it so far.',
          }),
          installs: list(
            closed({
              install_time: instant,
              decided_at: instant,
              kind: choice(['install', 'reinstall'], { type: 'string' }),
              verdict: Type.String({ description: '`credited`, or why it is not.' }),
              why: Type.String({ description: 'The same in words.' }),
              rule: { ...maybe, description: 'Rule by which it is credited.' },
              install_id: { ...maybe, description: 'Null for partners.' },
              credited_to: { ...campaign, description: 'Campaign that is credited; null for partners.' },
            }),
            { description: 'Decided installs that considered it, the latest first.' },
          ),
        }),
      ),
    ),
    refused: list(refusedSchema, { description: 'Samples of refused requests with this tid.' }),
  }),
);
