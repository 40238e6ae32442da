import { monthBefore, monthOf } from '../../domain/cycle.js';
import { ENTITIES } from '../../db/entities.js';
import { maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { payerIdOf } from '../../db/queries/payments/card.js';
import { findStatement, type DueStatement } from '../../db/queries/invoices/statement.js';

/**
 * Enqueues the statement of a payer about the month before `day`, unless there is nothing to list, and
 * plans the next one in the same transaction under the payer's lock: each month is handled once, even after
 * a crash. Months that were missed are not caught up, since a statement says what is open now. Returns
 * whether there is a mail.
 */
export async function enqueueStatement(tx: Tx, { payer, day }: DueStatement): Promise<boolean> {
  const table = payer.startsWith('mem_') ? 'members' : 'companies';
  const due = await maybeOne<{ workspace_id: string }>(
    tx,
    `SELECT workspace_id FROM ${table} WHERE id = $1 AND next_statement_on <= $2::date FOR NO KEY UPDATE`,
    [payer, day],
  );
  if (!due) return false;
  await tx.update(ENTITIES[table], { id: payer }, { next_statement_on: monthOf(day).end });
  const month = monthBefore(day);
  const { open, entries } = await findStatement(tx, due.workspace_id, payerIdOf(payer), month);
  if (open.length === 0 && entries.length === 0) return false;
  const { workspace_id } = due;
  await enqueueMail(tx, { workspace_id, kind: 'monthly_statement', about: `${payer}:${month.start}` });
  return true;
}
