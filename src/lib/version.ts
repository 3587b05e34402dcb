/** The version of the service, as package.json has it. */
import fs from 'node:fs';
import path from 'node:path';

export const { version } = JSON.parse(fs.readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
  readonly version: string;
};
