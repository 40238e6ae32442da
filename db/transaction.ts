import type { DataSource, EntityManager } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import { asApiError } from './constraint-errors.js';

/** The first argument of every repository function: what it does, it does in the caller's transaction. */
export type Tx = EntityManager;

/** Postgres gives up one of two transactions that wait for each other; it can simply be run again. */
const GIVEN_UP = new Set(['40P01', '40001']);
const RUNS = 4;

/**
 * Runs `work` in one transaction, and again if Postgres gave it up for another's sake: so `work` has no effect but
 * on the database. A violated constraint leaves it as the API error it means.
 */
export async function transaction<T>(db: DataSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const { code } = (error instanceof QueryFailedError ? error.driverError : {}) as { code?: string };
      if (run === RUNS || !GIVEN_UP.has(code ?? '')) throw asApiError(error);
    }
  }
}
