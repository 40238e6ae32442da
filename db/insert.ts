import type { EntityTarget, InsertQueryBuilder, QueryDeepPartialEntity } from 'typeorm';
import type { Tx } from './transaction.js';

const insertion = <E extends object>(
  tx: Tx,
  entity: EntityTarget<E>,
  row: QueryDeepPartialEntity<E>,
): InsertQueryBuilder<E> =>
  tx.createQueryBuilder().insert().into(entity).values(row).updateEntity(false).returning('*');

/** Inserts a row and returns it as stored. `EntityManager.insert` returns the columns with a default only. */
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

/** A value for a JSON column that has `unknown` in it, which TypeORM's types for new values do not admit. */
export const json = <T>(value: T): QueryDeepPartialEntity<T> => value as QueryDeepPartialEntity<T>;
