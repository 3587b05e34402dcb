/** Reads a URL. On Node 20 `URL.canParse` refuses `ü` once it has been called some thousand times. */

/** The URL that a text is, relative to `base` if there is one; undefined for none. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
