/** A formatted count with its noun. */
export const counted = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;
