/** Labels by value, as controls take them. */
export const choices = <T extends string>(labels: Readonly<Record<T, string>>): { value: T; label: string }[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as T, label }));
