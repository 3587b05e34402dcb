/** Where folders are, wherever symbolic links lead. */
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors';

/**
 * Where a path leads, of which only the beginning may be there yet.
 *
 * @throws StartError for a link that leads nowhere, and what may not be looked at.
 */
export function resolveRealPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (code !== 'ENOENT' || isLink) throw new StartError(`${file} cannot be used: ${code ?? ''}.`);
    return path.join(resolveRealPath(path.dirname(file)), path.basename(file));
  }
}

/** Whether a folder is another one or below it. */
export const isWithin = (folder: string, outer: string) => folder === outer || folder.startsWith(`${outer}${path.sep}`);
