/** English texts that every page needs; those of one area are in the file of its name, and come with its pages. */
import { common } from './common';
import { overview } from './overview';
import { people } from './people';
import { period } from './period';
import { titles } from './titles';
import { tools } from './tools';

export const texts = { ...common, overview, people, period, titles, tools };
export { valueTexts } from './values';
export { dimensionText, metricText, type Kind, type MetricText } from './metrics';
