import { monthBefore, calendarMonth } from '../../domain/cycle.js';
import { Company, Member } from '../../db/entities/members.js';
import { maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { parsePayerId } from '../../db/queries/payments/card.js';
import { findStatement, type DueStatement } from '../../db/queries/invoices/statement.js';

/**
 * Enqueues the statement of a payer for the month before `day`, unless there is nothing to list, and plans
 * the next one. Both happen in the same transaction under the payer's lock, so that each month is handled
 * once, even after a crash. Missed months are not caught up, since a statement shows what is open now.
 * Returns whether a mail was enqueued.
 */
export async function enqueueStatement(tx: Tx, { payer, day }: DueStatement): Promise<boolean> {
  const due = await maybeOne<{ workspace_id: string }>(
    tx,
    payer.startsWith('mem_')
      ? `SELECT workspace_id FROM members WHERE id = $1 AND next_statement_on <= $2::date FOR NO KEY UPDATE`
      : `SELECT workspace_id FROM companies WHERE id = $1 AND next_statement_on <= $2::date
        FOR NO KEY UPDATE`,
    [payer, day],
  );
  if (!due) return false;
  const next_statement_on = calendarMonth(day).end;
  await tx.update(payer.startsWith('mem_') ? Member : Company, { id: payer }, { next_statement_on });
  const month = monthBefore(day);
  const { open, entries } = await findStatement(tx, due.workspace_id, parsePayerId(payer), month);
  if (open.length === 0 && entries.length === 0) return false;
  const { workspace_id } = due;
  await enqueueMail(tx, { workspace_id, kind: 'monthly_statement', about: `${payer}:${month.start}` });
  return true;
}
