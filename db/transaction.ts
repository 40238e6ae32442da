import type { DataSource, EntityManager } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import { toConstraintError } from './constraint-errors.js';
import { isOutdatedPlan } from './prepared-statements.js';

/**
 * The first argument of every query and command, which runs in the caller's transaction. SQL goes through the
 * typed functions of db/query.ts, because `EntityManager.query` returns `any`.
 */
export type Tx = EntityManager;

/** SQLSTATEs of a deadlock and of a serialization failure. */
const RETRYABLE = new Set(['40P01', '40001']);
/** Indexes of randomly drawn values: another attempt draws other values. */
const GENERATED_INDEXES = new Set(['bookings_reference']);
const MAX_ATTEMPTS = 4;

/**
 * Runs `work` in one transaction and repeats it after a deadlock, a serialization failure, an outdated plan
 * or a drawn value that is already used. So `work` must have no effects except on the database. A violated
 * constraint is thrown as its API error.
 */
export async function transaction<T>(db: DataSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async (tx) => {
        atEnd.set(tx, new Map());
        const result = await work(tx);
        await storeNow(tx);
        return result;
      });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw toConstraintError(error);
    }
  }
}

/** Stores rows, as texts, in one statement. */
type Store = (tx: Tx, rows: string[]) => Promise<void>;

/** What open transactions store when they end. */
const atEnd = new WeakMap<Tx, Map<Store, string[]>>();

/**
 * Stores rows that nothing else in the transaction reads: before the commit, together with all others that
 * are stored in the same way. Stores them at once in a transaction that was not started by `transaction`.
 */
export async function storeAtEnd(tx: Tx, store: Store, rows: string[]): Promise<void> {
  const stores = atEnd.get(tx);
  if (!stores) return store(tx, rows);
  const stored = stores.get(store) ?? [];
  stored.push(...rows);
  stores.set(store, stored);
}

/** Stores the rows that `storeAtEnd` has collected so far, for statements that read them. */
export async function storeNow(tx: Tx): Promise<void> {
  const stores = atEnd.get(tx) ?? [];
  for (const [store, rows] of stores) {
    atEnd.get(tx)!.delete(store);
    await store(tx, rows);
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return (
    isOutdatedPlan(error.driverError) || RETRYABLE.has(code ?? '') || GENERATED_INDEXES.has(constraint ?? '')
  );
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  constructor(readonly result: T) {
    super('rolled back');
  }
}

/** Runs `work` in a transaction that is always rolled back, to learn whether it would succeed. */
export async function dryRun<T>(db: DataSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(db, async (tx) => {
      throw new RolledBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
