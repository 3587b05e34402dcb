/** What dimensions hold, as JSON Schema (docs/contract/queries.md). */
import { closed, list, Type } from '../lib/schema';

const text = Type.String();

export const valuesSchema = closed({
  values: list(
    closed({
      value: { ...text, description: 'As filters take it; empty for unknown.' },
      label: { ...text, description: 'What it is called.' },
      count: Type.Integer({ minimum: 0, description: 'Installs, or visitors, that have it.' }),
    }),
  ),
});
