/** Secrets that the service makes for itself, kept in files that only its user can read. */
import fs from 'node:fs';
import path from 'node:path';

/** The secret in the file; where there is none yet, `make` gives one, which is then kept there with mode 0600. */
export function secretFile(file: string, make: () => string): string {
  try {
    const kept = fs.readFileSync(file, 'utf8').trim();
    if (kept) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = make();
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o711 });
  // Written whole under another name first: a process killed half-way leaves no half secret. Of two processes that make
  // one at once, both take that of the first.
  const made = `${file}.${process.pid}.new`;
  fs.writeFileSync(made, `${secret}\n`, { mode: 0o600 });
  try {
    fs.linkSync(made, file);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const kept = fs.readFileSync(file, 'utf8').trim();
    if (kept) return kept;
    // An empty file is none.
    fs.renameSync(made, file);
    return secret;
  } finally {
    fs.rmSync(made, { force: true });
  }
}
