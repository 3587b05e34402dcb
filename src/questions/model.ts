/** `GET /api/v1/reporting/model`: what can be asked for, what it is called and how it is written (docs/contract/). */
import type { Metric, Model } from '../figures/model';
import { SOURCES } from './query-input';

/** Stands for the day in a name; no name has it otherwise. */
const SAMPLE_DAY = '90';

/** A metric as it is documented: with `N` for a day in its name, and `<name>` for that of an event. */
function describeMetric(model: Model, documented: string) {
  const isByDay = documented.endsWith('_dN');
  const name = isByDay ? documented.replace(/N$/, SAMPLE_DAY) : documented;
  const { label, about, format } = model.metric(name) as Metric;
  const written = (text: string) => (isByDay ? text.replace(SAMPLE_DAY, 'N') : text);
  return {
    name: documented,
    label: written(label),
    ...(about === undefined ? {} : { about: written(about) }),
    format,
  };
}

const describe = (model: Model) => ({
  metrics: model.documented.map((name) => describeMetric(model, name)),
  dimensions: model.dimensions.map(({ name, title, format, isFilter, isTime }) => ({
    name,
    label: title,
    format,
    rows: !isFilter,
    filters: !isTime,
  })),
});

/** The same of every project. */
export const described = { app: describe(SOURCES.app), web: describe(SOURCES.web) };
