import { parse } from 'libpg-query';
import type { DataSource } from 'typeorm';
import { dryRun, type Tx } from '../../db/transaction.js';

/** The tables whose rows are locked in this order (docs/internals/architecture.md#transactions-and-locks). */
const ORDER = ['booking_changes', 'bookings', 'rooms', 'invoices', 'payments'];

/** A node of libpg_query's tree. */
type Node = any; // oxlint-disable-line typescript/no-explicit-any

/** The tables of a FROM clause by their names there. */
function tablesByName(from: Node[]): [name: string, table: string][] {
  return from.flatMap(({ RangeVar: table, JoinExpr: join }): [string, string][] => {
    if (join) return tablesByName([join.larg, join.rarg]);
    return table ? [[table.alias?.aliasname ?? table.relname, table.relname]] : [];
  });
}

/** The tables whose rows a statement, or a part of it, locks. */
function lockedBy(node: Node): string[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(lockedBy);
  const written = [node.UpdateStmt, node.DeleteStmt].flatMap((each) => each?.relation.relname ?? []);
  const { lockingClause = [], fromClause = [] } = node.SelectStmt ?? {};
  const selected = lockingClause.flatMap(({ LockingClause: { lockedRels } }: Node) =>
    tablesByName(fromClause).flatMap(([name, table]) =>
      !lockedRels || lockedRels.some(({ RangeVar }: Node) => RangeVar.relname === name) ? table : [],
    ),
  );
  return [...written, ...selected, ...Object.values(node).flatMap(lockedBy)];
}

/**
 * The tables of `ORDER` in the order in which `work` first locks their rows. Its transaction is rolled back.
 * Tables locked by one statement are in the order of `ORDER`.
 */
export async function firstLocks(db: DataSource, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  await dryRun(db, async (tx) => {
    const client = await tx.queryRunner!.connect();
    const { query } = client;
    client.query = (statement: string | { text: string }, ...rest: unknown[]) => {
      statements.push(typeof statement === 'string' ? statement : statement.text);
      return query.call(client, statement, ...rest);
    };
    try {
      await work(tx);
    } finally {
      delete client.query;
    }
  });
  const locked = new Set<string>();
  for (const statement of statements) {
    const tables = lockedBy(await parse(statement));
    for (const table of ORDER) if (tables.includes(table)) locked.add(table);
  }
  return [...locked];
}
