/** Files that a page hands over. */

/** A row of a table as a file has it. */
export type CsvRow = Readonly<Record<string, string | number | boolean | null>>;

export function download(name: string, url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  download(name, url);
  URL.revokeObjectURL(url);
}

/** The rows that a view shows. */
export async function saveRows(name: string, rows: readonly CsvRow[]): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  // What begins like a formula is no formula of ours; Excel knows UTF-8 by the byte order mark.
  const csv = stringify([...rows], { header: true, bom: true, escape_formulas: true });
  saveBlob(name, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
}
