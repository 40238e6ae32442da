import type { DataSource, EntityManager } from 'typeorm';
import { asApiError } from './constraint-errors.js';

/** The first argument of every repository function: what it does, it does in the caller's transaction. */
export type Tx = EntityManager;

/** Runs `work` in one transaction. A violated constraint leaves it as the API error it means. */
export async function transaction<T>(db: DataSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    throw asApiError(error);
  }
}
