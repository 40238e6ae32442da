import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { compareZones } from '../db/queries/time-zones.js';

/**
 * Logs the time zones in use about which the process and Postgres disagree, when a worker starts. Never
 * throws.
 */
export async function reportZones(db: DataSource, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    for (const difference of await compareZones(db.manager))
      log.warn(difference, 'a time zone differs between the process and Postgres, or is not supported');
  } catch (error) {
    log.warn({ err: error }, 'time zones cannot be compared');
  }
}
