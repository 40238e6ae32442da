import { execute } from '../../db/query.js';
import { ProcessorKey } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';

const FIRST_SUFFIX = 2;

/** Returns the suffix for the next attempt after an idempotency key can no longer be used. */
export async function findKeySuffix(tx: Tx, key: string): Promise<number> {
  return (await tx.findOneBy(ProcessorKey, { key }))?.suffix ?? FIRST_SUFFIX;
}

/**
 * Records that the key with this suffix can no longer be used either. Parallel calls advance it only once.
 */
export async function advanceKeySuffix(tx: Tx, key: string, spent: number): Promise<void> {
  await execute(
    tx,
    `INSERT INTO processor_keys (key, suffix) VALUES ($1, $2 + 1)
     ON CONFLICT (key) DO UPDATE SET suffix = EXCLUDED.suffix, updated_at = now()
     WHERE processor_keys.suffix = $2`,
    [key, spent],
  );
}
