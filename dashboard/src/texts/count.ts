/** A formatted count with its noun. */
export const countOf = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;
