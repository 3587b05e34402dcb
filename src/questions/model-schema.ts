/** What can be asked for, as JSON Schema (docs/contract/queries.md). */
import { choice, closed, list, Type } from '../lib/schema';

const text = Type.String();

const modelSchema = closed({
  metrics: list(
    closed({
      name: { ...text, description: 'With `N` for a day, or `<name>` for an event, where it has one.' },
      label: text,
      about: Type.Optional({ ...text, description: 'What it is, where the label does not say.' }),
      format: choice(['count', 'money', 'percent', 'ratio', 'seconds'], { type: 'string' }),
    }),
  ),
  dimensions: list(
    closed({
      name: text,
      label: text,
      format: choice(['text', 'country', 'number', 'day', 'week', 'month', 'hour'], { type: 'string' }),
      rows: Type.Boolean({ description: 'Whether rows can be grouped by it.' }),
      filters: Type.Boolean({ description: 'Whether it has filters.' }),
    }),
  ),
});
export const modelsSchema = closed({ app: modelSchema, web: modelSchema });
