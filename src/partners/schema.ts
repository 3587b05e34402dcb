/** The forms of partners, their tokens and switches, as they are shown. */
import { choice, closed, instant, list, named, nullable, Type } from '../lib/schema';

const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const flag = Type.Boolean();

export const partner = named(
  'Partner',
  closed({
    id,
    name: text,
    status: choice(['active', 'suspended'], { type: 'string' }),
    created_at: instant,
    tokens: { ...count, description: 'How many of its tokens work.' },
  }),
);
export const token = named(
  'PartnerToken',
  closed({ id, created_at: instant, valid_until: nullable(instant), revoked_at: nullable(instant) }),
);
export const createdToken = named(
  'CreatedToken',
  closed({
    token: { ...text, description: 'Shown this once.' },
    former_valid_until: { ...nullable(instant), description: 'Until when the tokens before it work.' },
  }),
);

const switches = {
  s2s_clicks: flag,
  s2s_traffic: flag,
  view_through: flag,
  ctv_apps: list(text),
  view_window_hours: count,
};
export const storedSwitches = named('StoredPartnerSwitches', closed({ project_id: id, partner_id: id, ...switches }));
/** A partner as a project has it. */
export const projectPartner = named('ProjectPartner', closed({ partner_id: id, partner: text, ...switches }));
