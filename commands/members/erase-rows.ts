import { isDeepStrictEqual } from 'node:util';
import { TABLE_ERASURES, type TableErasure } from '../../db/personal-data/rules.js';
import type { PersonalIds } from '../../db/personal-data/declarations.js';
import { execute, many } from '../../db/query.js';
import { entityColumns, ENTITIES } from '../../db/entities.js';
import type { Tx } from '../../db/transaction.js';
import { eraseAuditDetails, type Actor } from '../audit-log/audit.js';

/**
 * Erases a person from the rows of the actor's workspace that are kept and that contain these ids; see
 * db/personal-data/rules.ts.
 */
export async function eraseRows(tx: Tx, by: Actor, ids: PersonalIds): Promise<void> {
  for (const rule of TABLE_ERASURES) {
    const of = ids[rule.by[1]];
    if (of.length === 0) continue;
    await setValues(tx, by.workspace_id, rule, of);
    if (Object.keys(rule.redacted).length > 0) await redactJson(tx, by, rule, of);
  }
}

/** Returns the condition that selects a rule's rows. `$1`: the workspace, `$2`: the ids. */
const erasureCondition = ({ table, by: [name] }: TableErasure): string =>
  `${'workspace_id' in entityColumns(ENTITIES[table]) ? 'workspace_id = $1' : '$1::text IS NOT NULL'} ` +
  `AND ${name} = ANY ($2)`;

async function setValues(tx: Tx, workspaceId: string, rule: TableErasure, ids: string[]): Promise<void> {
  const columns = Object.keys(rule.values);
  if (columns.length === 0) return;
  const assignments = columns.map((name, n) => `"${name}" = $${n + 3}`);
  await execute(tx, `UPDATE ${rule.table} SET ${assignments.join()} WHERE ${erasureCondition(rule)}`, [
    workspaceId,
    ids,
    ...Object.values(rule.values),
  ]);
}

async function redactJson(tx: Tx, by: Actor, rule: TableErasure, ids: string[]): Promise<void> {
  const { table, redacted } = rule;
  const sql = `SELECT * FROM ${table} WHERE ${erasureCondition(rule)}`;
  const rows = await many<Record<string, unknown>>(tx, sql, [by.workspace_id, ids]);
  const redactions = rows.flatMap((row) => {
    const changes = Object.entries(redacted)
      .filter(([name]) => row[name] !== null)
      .map(([name, redact]) => [name, redact(row)] as const)
      .filter(([name, value]) => !isDeepStrictEqual(row[name], value));
    return changes.length > 0 ? [{ row, changes: Object.fromEntries(changes) }] : [];
  });
  // The service cannot update the audit log itself.
  if (table === 'audit_log') {
    const entries = redactions.map(({ row, changes }) => ({ id: row.id, details: changes.details }));
    await eraseAuditDetails(tx, by, entries as Parameters<typeof eraseAuditDetails>[2]);
  } else {
    for (const { row, changes } of redactions)
      await tx.update(ENTITIES[table], primaryKey(rule, row), changes);
  }
}

function primaryKey({ table }: TableErasure, row: Record<string, unknown>): Record<string, unknown> {
  const columns = Object.entries(entityColumns(ENTITIES[table]));
  return Object.fromEntries(columns.filter(([, { primary }]) => primary).map(([name]) => [name, row[name]]));
}
