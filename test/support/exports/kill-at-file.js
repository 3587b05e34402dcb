/**
 * Loaded into a service with `node --require`: kills it while it writes a file of an export to a folder. Which one is
 * written in a file of KILL_DIR, as the place, the phase and the moment; whoever comes there first takes it.
 */
const fs = require('node:fs');
const path = require('node:path');

/** Dies where the three of them are awaited. */
function dieAt(file, moment) {
  const { KILL_DIR } = process.env;
  for (const name of fs.readdirSync(KILL_DIR)) {
    const [place, phase, when] = name.split(' ');
    const isThere = file.includes(`/${place}/`) && path.basename(file).startsWith(phase);
    if (!isThere || when !== moment) continue;
    fs.rmSync(path.join(KILL_DIR, name), { force: true });
    process.kill(process.pid, 'SIGKILL');
  }
}

const createWriteStream = fs.createWriteStream;
fs.createWriteStream = (file, ...more) =>
  createWriteStream(file, ...more).once('open', () => dieAt(String(file), 'within'));

const { rename, rm } = fs.promises;
fs.promises.rename = async (from, to) => {
  dieAt(String(to), 'before');
  await rename(from, to);
  dieAt(String(to), 'after');
};
fs.promises.rm = async (file, ...more) => {
  dieAt(String(file), 'before');
  await rm(file, ...more);
  dieAt(String(file), 'after');
};
