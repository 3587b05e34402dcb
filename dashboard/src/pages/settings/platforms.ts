/** The platforms of apps and store listings, to choose from. */
import { valueName } from '../../names';

export const PLATFORMS = (['ANDROID', 'IOS'] as const).map((value) => ({
  value,
  label: valueName('app', 'platform', value),
}));
