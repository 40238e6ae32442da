import { isDeepStrictEqual } from 'node:util';
import { TABLE_ERASURES, type TableErasure } from '../../db/personal-data/rules.js';
import type { PersonalIds } from '../../db/personal-data/erasure-rule.js';
import { execute, many } from '../../db/query.js';
import { columnsOf, ENTITIES } from '../../db/entities.js';
import type { Tx } from '../../db/transaction.js';

/** Erases a person from those rows of a workspace about these ids that are kept; see db/personal-data/. */
export async function eraseRows(tx: Tx, workspaceId: string, ids: PersonalIds): Promise<void> {
  for (const rule of TABLE_ERASURES) {
    const of = ids[rule.by[1]];
    if (of.length === 0) continue;
    await setValues(tx, workspaceId, rule, of);
    if (Object.keys(rule.redacted).length > 0) await redactJson(tx, workspaceId, rule, of);
  }
}

/** The condition that selects a rule's rows. `$1`: the workspace, `$2`: the ids. */
const conditionOf = ({ table, by: [name] }: TableErasure): string =>
  `${'workspace_id' in columnsOf(ENTITIES[table]) ? 'workspace_id = $1' : '$1::text IS NOT NULL'} AND ${name} = ANY ($2)`;

async function setValues(tx: Tx, workspaceId: string, rule: TableErasure, ids: string[]): Promise<void> {
  const columns = Object.keys(rule.values);
  if (columns.length === 0) return;
  const assignments = columns.map((name, n) => `"${name}" = $${n + 3}`);
  await execute(tx, `UPDATE ${rule.table} SET ${assignments.join()} WHERE ${conditionOf(rule)}`, [
    workspaceId,
    ids,
    ...Object.values(rule.values),
  ]);
}

async function redactJson(tx: Tx, workspaceId: string, rule: TableErasure, ids: string[]): Promise<void> {
  const { table, redacted } = rule;
  const sql = `SELECT * FROM ${table} WHERE ${conditionOf(rule)}`;
  for (const row of await many<Record<string, unknown>>(tx, sql, [workspaceId, ids])) {
    const changes = Object.entries(redacted)
      .filter(([name]) => row[name] !== null)
      .map(([name, redact]) => [name, redact(row)] as const)
      .filter(([name, value]) => !isDeepStrictEqual(row[name], value));
    if (changes.length > 0) await storeRedacted(tx, rule, row, Object.fromEntries(changes));
  }
}

/** The service cannot update the audit log, except for this function. */
async function storeRedacted(
  tx: Tx,
  rule: TableErasure,
  row: Record<string, unknown>,
  changes: Record<string, unknown>,
): Promise<void> {
  if (rule.table === 'audit_log')
    await execute(tx, `SELECT erase_audit_entry($1, $2)`, [row.id, JSON.stringify(changes.details)]);
  else await tx.update(ENTITIES[rule.table], keyOf(rule, row), changes);
}

/** The primary key of a row. */
function keyOf({ table }: TableErasure, row: Record<string, unknown>): Record<string, unknown> {
  const columns = Object.entries(columnsOf(ENTITIES[table]));
  return Object.fromEntries(columns.filter(([, { primary }]) => primary).map(([name]) => [name, row[name]]));
}
