import { withScratchDatabase } from './scratch-database.js';
import { backUp, letTimePass, restore, type Backup } from './backup.js';

/** A backup as it would be if it were so many seconds older. */
export const aged = (backup: Backup, seconds: number): Promise<Backup> =>
  withScratchDatabase(async (scratch) => {
    await restore(scratch, backup);
    await letTimePass(scratch, `${seconds} seconds`);
    return backUp(scratch);
  });
