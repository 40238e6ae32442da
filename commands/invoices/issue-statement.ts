import type { DataSource } from 'typeorm';
import { Statement } from '../../db/entities/invoices.js';
import { newId } from '../../db/ids.js';
import { DAY_SECONDS } from '../../domain/durations.js';
import { boundBefore, type IdempotencyKey } from '../api-keys/idempotency.js';
import { countRequestedMail, remainingWait } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { execute, maybeOne, one } from '../../db/query.js';
import type { PayerId } from '../../db/queries/payments/card.js';
import { findAccount } from '../../db/queries/invoices/account.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import type { Day } from '../../domain/cycle.js';
import { ApiError } from '../../domain/errors.js';
import { assertPeriod, statementNumber } from '../../domain/invoices/statement.js';

/** About 60 pages. */
const MAX_LISTED = 3_000;
/** Every member can issue their own statements. Each one is stored permanently and takes a number. */
const OF_PAYER = { count: 50, seconds: DAY_SECONDS };

const NEXT_NUMBER = `INSERT INTO invoice_counters AS c (workspace_id, last_statement) VALUES ($1, 1)
  ON CONFLICT (workspace_id) DO UPDATE SET last_statement = c.last_statement + 1
  RETURNING last_statement AS ordinal, (SELECT invoice_prefix FROM workspaces WHERE id = $1) AS prefix`;

/**
 * Issues a requested statement of a payer, once per key, and mails it to `email` if that is not null. Errors:
 * those of `issueStatement`; 429 if mail was sent to the same address a short time ago.
 */
export const requestStatement = (
  db: DataSource,
  quotas: MailQuotas,
  caller: Principal,
  { payer, email, ...period }: { payer: PayerId; email: string | null; from: Day; to: Day },
  idempotency: IdempotencyKey | null,
): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const id = newId('stmt');
    if (await boundBefore(tx, workspace_id, idempotency, id)) return;
    await issueStatement(tx, { id, workspace_id, payer, ...period });
    if (!email) return;
    await enqueueMail(tx, { workspace_id, kind: 'statement', about: id });
    const about = payer.company_id ?? payer.member_id;
    await countRequestedMail(tx, caller, quotas, { workspace_id, kind: 'statement', email, about });
  });

/**
 * Issues the statement of a payer about the days `[from, to]` in the workspace's time zone, under the
 * workspace's next number (docs/rules/billing.md#statements-on-demand). It shows the ledger at one moment,
 * and never changes. Errors: 422 for an invalid period or if there is nothing to list; 429 for more than 50
 * statements of a payer in 24 hours.
 */
export async function issueStatement(
  tx: Tx,
  statement: { workspace_id: string; payer: PayerId; from: Day; to: Day; id?: string },
): Promise<void> {
  const { workspace_id, payer, from, to, id = newId('stmt') } = statement;
  const { company_id, member_id } = payer;
  const wait = remainingWait(
    await maybeOne<{ wait: number }>(
      tx,
      `SELECT 1000 * extract(epoch FROM issued_at + $2 * interval '1 second' - now())::float8 AS wait
        FROM statements
       WHERE workspace_id = $3 AND (company_id = $4 OR member_id = $5)
       ORDER BY issued_at DESC OFFSET $1 - 1 LIMIT 1`,
      [OF_PAYER.count, OF_PAYER.seconds, workspace_id, company_id, member_id],
    ),
  );
  if (wait > 0)
    throw new ApiError(
      'rate_limited',
      `At most ${OF_PAYER.count} statements can be issued to a payer in 24 hours.`,
      {
        retry_after_ms: Math.ceil(wait),
      },
    );
  const { today, invoice_ids, ...account } = await findAccount(tx, workspace_id, payer, { from, to });
  assertPeriod({ from, to }, today);
  if (invoice_ids.length === 0)
    throw new ApiError(
      'validation_failed',
      'The statement would be empty: no invoice is open, and none was issued or paid in this period.',
      { param: 'from' },
    );
  if (account.entries.length + account.open.length > MAX_LISTED)
    throw new ApiError(
      'validation_failed',
      `A statement can list at most ${MAX_LISTED} items. Choose a shorter period.`,
      { param: 'from' },
    );
  const { ordinal, prefix } = await one<{ ordinal: number; prefix: string }>(tx, NEXT_NUMBER, [workspace_id]);
  await tx.insert(Statement, {
    id,
    workspace_id,
    ...payer,
    number: statementNumber(prefix, ordinal),
    content: { from, to, ...account },
  });
  await execute(
    tx,
    `INSERT INTO statement_invoices (invoice_id, statement_id) SELECT unnest($1::text[]), $2`,
    [invoice_ids, id],
  );
}
