import test from 'ava';
import { issueStatement } from '../../commands/invoices/issue-statement.js';
import { insertPayment } from '../../commands/payments/payments.js';
import { recordRefund } from '../../commands/payments/record-refund.js';
import { reserveRefund } from '../../commands/payments/refunds.js';
import { newId } from '../../db/ids.js';
import { findAccount } from '../../db/queries/invoices/account.js';
import { transaction } from '../../db/transaction.js';
import { dayIn, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import {
  computeBalances,
  type AccountEntry,
  type StatementContent,
} from '../../domain/invoices/statement.js';
import { disputablePayment } from '../support/disputes.js';
import { db } from '../support/stack.js';
import { newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';

/** A zone whose day differs from the current UTC day, and does not end within the hour. */
const zone = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
const today = (): Day => dayIn(zone, new Date());

const TIMES: Record<string, string[]> = {
  payments: ['created_at', 'paid_at', 'settled_at', 'succeeded_at'],
  invoice_documents: ['issued_at', 'created_at'],
  invoices: ['paid_at', 'voided_at'],
  adjustments: ['created_at'],
  collections: ['started_at'],
  dispute_movements: ['created_at'],
};

/** Makes everything that happened in a workspace a day older. */
const nextDay = (workspaceId: string) =>
  transaction(db, async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = replica`);
    for (const [table, columns] of Object.entries(TIMES)) {
      const of =
        table === 'collections'
          ? `invoice_id IN (SELECT id FROM invoices WHERE workspace_id = $1)`
          : table === 'dispute_movements'
            ? `payment_id IN (SELECT id FROM payments WHERE workspace_id = $1)`
            : `workspace_id = $1`;
      const older = columns.map((column) => `${column} = ${column} - interval '1 day'`);
      await tx.query(`UPDATE ${table} SET ${older.join()} WHERE ${of}`, [workspaceId]);
    }
  });

/** Entries without their days and order. */
const formatEntries = (entries: AccountEntry[]) =>
  entries.map(({ kind, number, amount_minor }) => `${kind} ${number} ${amount_minor}`).toSorted();

test('a period begins with the balance at the end of the one before, whatever is reversed between their statements', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: workspace_id } = workspace;
  t.is((await api.patch('/v1/workspace', { time_zone: zone })).status, 200);
  const member = await newMember(workspace);
  const payer = { company_id: null, member_id: member.id };
  const invoice = async (amount: number) => {
    const made = await api.post('/v1/invoices', {
      member_id: member.id,
      currency: 'GBP',
      due_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: amount, tax_code: 'ZERO' }],
    });
    return made.body.id;
  };
  const pays = async (id: string, amount_minor: number) => {
    const { status } = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor, method: 'cash' });
    t.is(status, 200);
  };
  const credit = async (id: string, amount: number) => {
    const { status } = await api.post(`/v1/invoices/${id}/adjustments`, {
      lines: [{ description: 'Less', quantity: 1, unit_amount_minor: -amount, tax_code: 'ZERO' }],
      reason: 'Ill',
    });
    t.is(status, 201);
  };
  const findEntryId = async (where: string, invoiceId: string): Promise<string> => {
    const found = await db.query(`SELECT id FROM payments WHERE invoice_id = $1 AND ${where}`, [invoiceId]);
    return found[0].id;
  };
  const refund = (paymentId: string, amount_minor: number, purpose: 'request' | 'excess' = 'request') =>
    transaction(db, (tx) => reserveRefund(tx, paymentId, { amount_minor, purpose, reason: 'other' }));
  const becomes = async (refundId: string, status: 'succeeded' | 'failed') => {
    const changed = await transaction(db, (tx) => recordRefund(tx, refundId, { refund_id: null, status }));
    t.true(changed);
  };

  const statements: StatementContent[] = [];
  const endOfDay = async () => {
    const id = newId('stmt');
    const day = today();
    await transaction(db, (tx) => issueStatement(tx, { id, workspace_id, payer, from: day, to: day }));
    const [{ content }] = await db.query(`SELECT content FROM statements WHERE id = $1`, [id]);
    statements.push(content);
    await nextDay(workspace_id);
    return formatEntries(content.entries).map((entry) => entry.replace(/ [A-Z]+-/, ' '));
  };

  const [open, paid, parts, voided] = [
    await invoice(5_000),
    await invoice(3_000),
    await invoice(6_000),
    await invoice(1_000),
  ];
  await pays(paid, 3_000);
  t.is((await endOfDay()).length, 5);

  await pays(open, 1_200);
  await pays(parts, 2_000);
  await pays(parts, 4_000);
  t.is((await api.post(`/v1/invoices/${voided}/void`, {})).status, 200);
  t.deepEqual(await endOfDay(), [
    'credit_note 4-C1 1000',
    'payment 1 1200',
    'payment 3 2000',
    'payment 3 4000',
  ]);

  const whole = await findEntryId(`kind = 'manual'`, paid);
  const [returned, kept, never] = [
    await refund(whole, 700),
    await refund(whole, 300),
    await refund(whole, 50),
  ];
  await becomes(returned, 'succeeded');
  await becomes(kept, 'succeeded');
  await credit(parts, 6_000);
  t.deepEqual(await endOfDay(), [
    'credit_note 2-C1 700',
    'credit_note 2-C2 300',
    'credit_note 3-C1 6000',
    'refund 2 300',
    'refund 2 700',
    'refund 3 2000',
    'refund 3 4000',
  ]);

  await becomes(returned, 'failed');
  await becomes(never, 'failed');
  await becomes(await findEntryId(`kind = 'refund' AND amount_minor = 4000`, parts), 'failed');
  t.deepEqual(
    await endOfDay(),
    [
      'credit_note 3-C2 2000',
      'refund_failed 2 700',
      'refund_failed 3 4000',
      'supplement 2-T1 700',
      'supplement 3-T1 6000',
    ],
    'what failed is reversed, and what is left of the credit stays credited',
  );

  const received = { amount_minor: 500, currency: 'GBP', method: 'cash', paid_at: new Date() };
  const invoiceFields = { workspace_id, invoice_id: paid, booking_id: null, kind: 'manual' } as const;
  const twice = await transaction(db, (tx) =>
    insertPayment(tx, { ...invoiceFields, received, source: null, excess_minor: 500 }),
  );
  const excess = await refund(twice, 500, 'excess');
  await becomes(excess, 'succeeded');
  t.deepEqual(await endOfDay(), ['payment 2 500', 'refund 2 500'], 'what was paid twice has no credit note');

  await becomes(excess, 'failed');
  t.deepEqual(await endOfDay(), ['refund_failed 2 500']);

  const { dispute, move, untilPayment } = await disputablePayment(workspace, { member_id: member.id });
  t.deepEqual(await endOfDay(), ['invoice 5 3000', 'payment 5 3000']);
  const { id: disputeId } = (await dispute({ status: 'needs_response' })) as { id: string };
  await untilPayment({ disputed_minor: 3_000 });
  t.deepEqual(await endOfDay(), ['credit_note 5-C1 3000', 'refund 5 3000']);
  await move(disputeId, { status: 'won' });
  await untilPayment({ disputed_minor: 0 });
  t.deepEqual(await endOfDay(), ['payment 5 3000', 'supplement 5-T1 3000']);

  let before: { currency: string; amount_minor: number }[] = [];
  for (const { from, opening, entries } of statements) {
    t.deepEqual(opening, before, from);
    before = computeBalances(opening!, entries).map(({ currency, closing_minor }) => ({
      currency,
      amount_minor: closing_minor,
    }));
  }
  t.deepEqual(before, [{ currency: 'GBP', amount_minor: 3_800 - 500 }], 'open, without what was paid twice');
  const all = await findAccount(db.manager, workspace_id, payer, {
    from: dayIn(zone, new Date(Date.now() - 30 * DAY_MS)),
    to: today(),
  });
  t.deepEqual(all.opening, []);
  t.deepEqual(formatEntries(all.entries), formatEntries(statements.flatMap(({ entries }) => entries)));
});
