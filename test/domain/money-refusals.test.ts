import test from 'ava';
import type { Refusal } from '../../domain/errors.js';
import {
  whyNotAdjust,
  whyNotPay,
  whyNotRecord,
  whyNotRemind,
  whyNotSend,
  whyNotVoid,
  type InvoiceState,
} from '../../domain/invoices/invoice.js';
import { refundableMinor, whyNotRefund } from '../../domain/payments/refund.js';
import { INVOICE_STATUSES } from '../../domain/states.js';

const formatRefusal = (refusal: Refusal | null): string | null =>
  refusal && `${refusal.code} ${refusal.details.reason}`;

test('each status of an invoice allows its actions and no others', (t) => {
  const free = { booking: null, hasPayments: false, byKey: false };
  const actions: Record<string, (invoice: InvoiceState & { total_minor: number }) => Refusal | null> = {
    pay: (invoice) => whyNotPay(invoice, null),
    void: (invoice) => whyNotVoid(invoice, free),
    adjust: whyNotAdjust,
    send: (invoice) => whyNotSend(invoice, null, 'ada@example.com'),
  };
  const expected: Record<(typeof INVOICE_STATUSES)[number], string[]> = {
    draft: [],
    open: ['pay', 'void', 'send'],
    authorised: ['pay', 'void', 'send'],
    paid: ['adjust', 'send'],
    void: [],
    cancelled: [],
    refunded: ['send'],
  };
  for (const status of INVOICE_STATUSES) {
    const invoice: InvoiceState & { total_minor: number } = { status, kind: 'ad_hoc', total_minor: 1 };
    const possible = Object.keys(actions).filter((action) => !actions[action]!(invoice));
    t.deepEqual(possible, expected[status], status);
  }
});

test('an invoice says why it cannot be paid, recorded, voided, adjusted, sent or reminded of', (t) => {
  const open: InvoiceState = { status: 'open', kind: 'ad_hoc' };
  const subscription: InvoiceState = { status: 'open', kind: 'subscription' };
  const amounts = { outstanding_minor: 500, currency: 'GBP' };
  t.is(
    formatRefusal(whyNotPay(open, { id: 'bk_1', status: 'pending_payment' })),
    'invoice_managed_by_booking booking',
  );
  t.is(formatRefusal(whyNotPay({ status: 'void' }, null)), 'invoice_not_open status');
  t.is(formatRefusal(whyNotRecord(501, amounts)), 'amount_exceeds_outstanding amount');
  t.is(whyNotRecord(500, amounts), null);
  const facts = { booking: null, hasPayments: true, byKey: true };
  t.is(formatRefusal(whyNotVoid(open, facts)), 'invoice_not_voidable payments');
  t.is(
    formatRefusal(whyNotVoid(open, { ...facts, booking: { id: 'bk_1', status: 'pending_payment' } })),
    'invoice_managed_by_booking booking',
  );
  const live = { booking: { id: 'bk_1', status: 'confirmed' }, hasPayments: false, byKey: true } as const;
  t.like(whyNotVoid(open, live), {
    code: 'invoice_not_open',
    details: { reason: 'booking', booking_id: 'bk_1' },
  });
  t.is(formatRefusal(whyNotVoid(subscription, facts)), 'invoice_not_mutable subscription');
  t.is(formatRefusal(whyNotVoid(subscription, { ...facts, byKey: false })), 'invoice_not_voidable payments');
  t.is(whyNotVoid(subscription, { ...facts, byKey: false, hasPayments: false }), null);
  t.is(formatRefusal(whyNotAdjust(subscription)), 'invoice_not_mutable subscription');
  t.is(formatRefusal(whyNotAdjust(open)), 'invoice_not_paid status');
  const sent = { ...open, total_minor: 1 };
  t.is(formatRefusal(whyNotSend(sent, null, null)), 'validation_failed no_email');
  const hold = { id: 'bk_1', status: 'pending_payment' } as const;
  t.is(formatRefusal(whyNotSend(sent, hold, 'ada@example.com')), 'invoice_managed_by_booking booking');
  t.is(
    formatRefusal(whyNotSend({ ...sent, total_minor: 0 }, null, 'ada@example.com')),
    'invoice_not_open status',
  );
  const due = { ...sent, due_at: new Date('2024-06-05T22:30:00Z') };
  const owing = { booking: null, email: 'ada@example.com', outstanding_minor: 1, time_zone: 'Europe/Berlin' };
  const dueDay = new Date('2024-06-06T21:59:00Z');
  const dayAfter = new Date('2024-06-06T22:01:00Z');
  t.is(whyNotRemind(due, owing, dayAfter), null);
  t.is(formatRefusal(whyNotRemind(due, owing, dueDay)), 'invoice_not_overdue not_overdue');
  for (const [facts, refusal] of [
    [{ outstanding_minor: 0 }, 'invoice_not_overdue not_overdue'],
    [{ email: null }, 'validation_failed no_email'],
    [{ booking: hold }, 'invoice_managed_by_booking booking'],
  ] as const)
    t.is(formatRefusal(whyNotRemind(due, { ...owing, ...facts }, dayAfter)), refusal);
  t.is(formatRefusal(whyNotRemind({ ...due, status: 'paid' }, owing, dayAfter)), 'invoice_not_open status');
});

test('a refund takes at most what is left, and nothing from a refunded or disputed payment', (t) => {
  const payment = {
    kind: 'charge',
    status: 'partially_refunded',
    amount_minor: 3_000,
    refunded_minor: 1_000,
  };
  const left = (changes: object) =>
    refundableMinor({ ...payment, ...changes } as Parameters<typeof refundableMinor>[0]);
  t.is(left({}), 2_000);
  for (const changes of [{ kind: 'refund' }, { status: 'disputed' }, { status: 'failed' }])
    t.is(left(changes), 0, JSON.stringify(changes));
  const of = (amount_minor: number) => ({ amount_minor, currency: 'GBP' });
  t.is(whyNotRefund(2_000, of(2_000)), null);
  t.is(formatRefusal(whyNotRefund(2_001, of(2_000))), 'amount_exceeds_refundable amount');
  t.is(formatRefusal(whyNotRefund(0, of(0))), 'amount_exceeds_refundable nothing_left');
});
