/** Choices of the explore page as its controls take them. */
import { explore as text } from '../../texts/explore';

export const choices = <T extends string>(labels: Readonly<Record<T, string>>): { value: T; label: string }[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as T, label }));

export const GRAIN_CHOICES = choices(text.grains);
