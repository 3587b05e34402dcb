/** Which names of time zones the running Node knows: abbreviations such as PST only some versions do. */
export function isKnownToNode(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
