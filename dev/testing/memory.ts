import { statfsSync } from 'node:fs';
import { substituteIn } from '../launcher/home.js';
import { hasCode } from '../launcher/problem.js';

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** For the databases of both stacks, which take half of it. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** A folder in memory for the databases of a stack with this home; undefined where there is too little or none. */
export function memoryFolder(home: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return substituteIn(MEMORY, home);
}
