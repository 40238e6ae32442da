import { withScratchDatabase } from './scratch-database.js';
import { backUp, letTimePass, restore, type Backup } from './backup.js';

/** A backup that is older by the given seconds. */
export const aged = (backup: Backup, seconds: number): Promise<Backup> =>
  withScratchDatabase(async (scratch) => {
    await restore(scratch, backup);
    await letTimePass(scratch, `${seconds} seconds`);
    return backUp(scratch);
  });
