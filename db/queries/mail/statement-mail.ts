import { calendarMonth, type Day } from '../../../domain/cycle.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import {
  findStatement,
  findStatementRecipient,
  type Statement,
  type StatementRecipient,
} from '../invoices/statement.js';
import { parsePayerId } from '../payments/card.js';

export interface StatementMail extends StatementRecipient, Statement {
  id: string;
  /** `YYYY-MM-01`: the month of its payments and credits. */
  month: Day;
}

/**
 * Reads the current contents of a monthly statement. Null if there is nothing left to list, and for a payer
 * without an address.
 */
export async function findStatementMail(tx: Tx, mailId: string): Promise<StatementMail | null> {
  const { about } = await one<{ about: string }>(tx, `SELECT about FROM mails WHERE id = $1`, [mailId]);
  const [id, month] = about.split(':') as [string, Day];
  const payer = parsePayerId(id);
  const recipient = await findStatementRecipient(tx, payer);
  if (!recipient) return null;
  const statement = await findStatement(tx, recipient.workspace_id, payer, calendarMonth(month));
  if (statement.open.length === 0 && statement.entries.length === 0) return null;
  return { id: mailId, month, ...recipient, ...statement };
}
