/** Takes the folder of a spool: node spool-process.mjs FOLDER. Says whether it has it; keeps it until it is ended. */
import process from 'node:process';
import { fileSpool } from '../../../clients/s2s/dist/spool.js';

function takeFolder() {
  try {
    fileSpool(process.argv[2]);
    return 'has it';
  } catch (error) {
    return error.message.includes('is used') ? 'is used' : error.message;
  }
}

process.stdout.write(takeFolder());
process.stdin.resume();
