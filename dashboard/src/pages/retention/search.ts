/** What the URL of the retention page says. */
import { filterSearch, choice, periodSearch, texts, Type } from '../../search';

/** Cohorts beside all of them in the chart: as many as there are colours that can be told apart. */
export const MAX_DRAWN = 5;

export const retentionSearch = Type.Object({
  ...periodSearch,
  ...filterSearch,
  unit: choice(['day', 'week', 'month']),
  definition: choice(['classic_retention', 'retention', 'rolling_retention']),
  horizon: choice(['d14', 'd30', 'd90']),
  /** The cohorts that the chart shows beside all of them. */
  cohorts: texts(MAX_DRAWN),
});
