/** Which entries of the audit log are shown. */
import { choice, optionalText, Type } from '../../search';

const DAY = '^\\d{4}-\\d{2}-\\d{2}$';
export const ACTIONS = ['any', 'create', 'change', 'delete'] as const;
export const auditLogSearch = Type.Object({
  actor: optionalText(),
  action: choice(ACTIONS),
  subject: optionalText(),
  project: Type.Optional(Type.Integer({ minimum: 1 })),
  from: optionalText(DAY),
  to: optionalText(DAY),
});
