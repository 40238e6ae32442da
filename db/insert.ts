import type { EntityTarget, InsertQueryBuilder, QueryDeepPartialEntity } from 'typeorm';
import { execute } from './query.js';
import type { Tx } from './transaction.js';

const insertion = <E extends object>(
  tx: Tx,
  entity: EntityTarget<E>,
  row: QueryDeepPartialEntity<E>,
): InsertQueryBuilder<E> =>
  tx.createQueryBuilder().insert().into(entity).values(row).updateEntity(false).returning('*');

/** Inserts a row and returns it as stored. `EntityManager.insert` only returns the columns with a default. */
export async function insertReturning<E extends object>(
  tx: Tx,
  entity: EntityTarget<E>,
  row: QueryDeepPartialEntity<E>,
): Promise<E> {
  const { raw } = await insertion(tx, entity, row).execute();
  return raw[0];
}

/** Inserts a row and returns it as stored, or null if that would violate a unique constraint. */
export async function insertIfAbsent<E extends object>(
  tx: Tx,
  entity: EntityTarget<E>,
  row: QueryDeepPartialEntity<E>,
): Promise<E | null> {
  const { raw } = await insertion(tx, entity, row).orIgnore().execute();
  return raw[0] ?? null;
}

/** Inserts rows in one statement and in order. All must have the same columns. */
export const insertAll = <E extends object>(tx: Tx, entity: new () => E, rows: Partial<E>[]): Promise<void> =>
  insertRows(tx, entity, rows, '');

/** Inserts rows like `insertAll`, without those that would violate a unique constraint. */
export const insertMissing = <E extends object>(
  tx: Tx,
  entity: new () => E,
  rows: Partial<E>[],
): Promise<void> => insertRows(tx, entity, rows, 'ON CONFLICT DO NOTHING');

async function insertRows<E extends object>(
  tx: Tx,
  entity: new () => E,
  rows: Partial<E>[],
  onConflict: string,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const table = tx.dataSource.getMetadata(entity).tableName;
  const columns = Object.keys(first).join();
  await execute(
    tx,
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1) WITH ORDINALITY ORDER BY ordinality
     ${onConflict}`,
    [JSON.stringify(rows)],
  );
}

/**
 * Casts a value for a JSON column whose type contains `unknown`, which TypeORM's types for new values do not
 * permit.
 */
export const json = <T>(value: T): QueryDeepPartialEntity<T> => value as QueryDeepPartialEntity<T>;
