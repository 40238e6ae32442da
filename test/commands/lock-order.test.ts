import test from 'ava';
import { adjustInvoice } from '../../commands/invoices/adjustments.js';
import { recordDisputes } from '../../commands/payments/disputes.js';
import { markPaid } from '../../commands/invoices/payments.js';
import { recordRefund, settleManualRefunds } from '../../commands/payments/record-refund.js';
import { requestRefund } from '../../commands/payments/request-refund.js';
import { insertChange, lockChange } from '../../commands/bookings/change/plan.js';
import { cancelBooking } from '../../commands/bookings/cancel-booking.js';
import { startChange, settleChange } from '../../commands/bookings/change/apply.js';
import { completeBooking } from '../../commands/bookings/complete-booking.js';
import { recordDeskPayment } from '../../commands/bookings/desk-payment.js';
import { expireBooking } from '../../commands/bookings/expire-booking.js';
import { settlePayment } from '../../commands/bookings/settle-payment.js';
import { Payment } from '../../db/entities/payments.js';
import { newId } from '../../db/ids.js';
import { findChangeCheckout } from '../../db/queries/payments/checkout.js';
import type { Tx } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import { scaledQuotas } from '../../domain/workspaces/quotas.js';
import { pendingChange } from '../support/pending-change-calls.js';
import type { Booking } from '../support/api-bodies.js';
import { bookingBody, confirmedBooking, createBooking, hoursLater } from '../support/bookings.js';
import { firstLocks } from '../support/lock-order.js';
import { newInvoice, newPayer } from '../support/payers.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

const CHANGE = ['booking_changes', 'bookings'];
const MONEY = ['invoices', 'payments'];

test('commands lock change, booking, rooms, invoice and payment in this order', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: workspace_id, ownerId: member_id } = workspace;
  const hold = async () => createBooking(api, bookingBody((await newRoom(api)).id));
  const [held, atDesk] = [await hold(), await hold()];
  const cash = { method: 'cash', amount_minor: 3_000, reference: null } as const;
  t.is((await api.post(`/v1/bookings/${atDesk.id}/payments`, cash)).status, 201);
  const { booking: byCard } = await confirmedBooking(api, { hours: 2 });
  const { booking: moving, pending } = await pendingChange(t, workspace);
  const { id: openInvoice } = await newInvoice(workspace, (await newPayer(workspace)).id, 10);
  const findPayment = ({ id: booking_id }: Booking) =>
    db.manager.findOneByOrFail(Payment, { booking_id, kind: 'charge' });
  const charge = await findPayment(byCard);
  const manual = await db.manager.findOneByOrFail(Payment, { booking_id: atDesk.id });
  const made = await api.post(`/v1/payments/${charge.id}/refund`, { amount_minor: 500 });

  /** A change of a booking that is stored and locked, as its run starts it. */
  const begin = async (tx: Tx, { id: booking_id }: Booking, kind: string, request: object) => {
    const of = { workspace_id, booking_id, actor: { member_id }, on_authentication: 'fail' };
    return (await lockChange(tx, await insertChange(tx, { ...of, kind, request } as never))) as never;
  };
  const change = async (tx: Tx, booking: Booking, hours: number, request: object) => {
    const end_at = Date.parse(hoursLater(booking.end_at, hours));
    return startChange(tx, scaledQuotas(1), await begin(tx, booking, 'change', { ...request, end_at }));
  };
  const cancel = async (tx: Tx, booking: Booking) =>
    cancelBooking(tx, await begin(tx, booking, 'cancel', { refund_policy: 'full', reason: null }));
  const takeDifference = async (tx: Tx) => {
    const checkout = await findChangeCheckout(tx, pending.id);
    const request = { ...cash, pending_change_id: pending.id, paid_at: new Date().toISOString() };
    const payment = await begin(tx, moving, 'payment', { ...request, idempotency: null });
    return recordDeskPayment(tx, payment, { checkoutId: checkout!.id, page: 'closed' });
  };
  const received = () => ({
    payment_intent_id: newId('pay'),
    account_id: workspace.accountId!,
    amount_minor: 3_000,
    currency: 'GBP',
    method: 'card',
    paid_at: new Date(),
  });
  const paidChange = { id: pending.id, owner_id: moving.id, workspace_id, attempt: 'checkout' } as const;
  const by = { workspace_id, member_id, key_id: null } as Principal;
  const refund = { amount_minor: 1_000, reason: 'other', notify_payer: true } as const;
  const less = { net_minor: -500, tax_minor: -100, unit_amount_minor: -500, tax_rate_bps: 2_000 };
  const lines = [{ ...less, description: 'Less', quantity: 1, tax_code: 'STANDARD', account: null }];
  const credit = { id: newId('adj'), invoice_id: manual.invoice_id!, lines, reason: 'Less' };
  const part = { id: newId('pay'), amount_minor: 1, method: 'cash', reference: null } as const;

  const commands: [name: string, locks: string[], command: (tx: Tx) => Promise<unknown>][] = [
    [
      'a change that is paid on its page',
      [...CHANGE, 'rooms', 'invoices'],
      (tx) => settleChange(tx, paidChange, received(), null),
    ],
    ['a change that is paid at the desk', [...CHANGE, 'rooms', 'invoices'], takeDifference],
    [
      'a change whose difference the desk has received',
      [...CHANGE, 'rooms', 'invoices'],
      (tx) => change(tx, atDesk, 1, { by_staff: true, taken: { method: 'cash', reference: null } }),
    ],
    ['a cheaper change', [...CHANGE, 'rooms', ...MONEY], (tx) => change(tx, byCard, -1, {})],
    ['a cancellation', [...CHANGE, ...MONEY], (tx) => cancel(tx, byCard)],
    ['a cancellation of a hold', [...CHANGE, ...MONEY], (tx) => cancel(tx, held)],
    ['a refund of cash', MONEY, (tx) => requestRefund(tx, manual, refund, by, null)],
    ['a refund of a charge', MONEY, (tx) => requestRefund(tx, charge, refund, by, null)],
    [
      'the end of a refund',
      MONEY,
      (tx) => recordRefund(tx, made.body.refund.id, { refund_id: null, status: 'failed' }),
    ],
    ['a credit', MONEY, async (tx) => settleManualRefunds(tx, await adjustInvoice(tx, credit))],
    ['disputes', MONEY, (tx) => recordDisputes(tx, charge.id, [])],
    [
      'a part of an invoice',
      ['invoices'],
      (tx) => markPaid(tx, openInvoice, { ...part, paid_at: new Date() }),
    ],
    [
      'a payment of a hold',
      ['bookings', ...MONEY],
      (tx) => settlePayment(tx, { owner_id: held.id, workspace_id }, received(), null),
    ],
    ['the end of a hold', ['bookings', 'invoices'], (tx) => expireBooking(tx, held.id)],
    ['the end of a booking', CHANGE, (tx) => completeBooking(tx, moving.id)],
  ];
  for (const [name, locks, command] of commands) t.deepEqual(await firstLocks(db, command), locks, name);
});
