import test from 'ava';
import fc from 'fast-check';
import { accountingReference, priceLines, totalsOf } from '../../domain/invoice.js';
import { newMember } from './people.js';
import { confirmedBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import {
  bookingBody,
  db,
  newRoom,
  newWorkspace,
  sessionOf,
  simulator,
  until,
  type ApiClient,
} from '../support/stack.js';
import type { Invoice, Page } from '../support/api-bodies.js';
import type { ApiResponse } from '../support/api-response.js';

const line = (overrides: Record<string, unknown> = {}) => ({
  description: 'Desk for a month',
  quantity: 1,
  unit_amount_minor: 10_000,
  tax_code: 'STANDARD',
  ...overrides,
});

async function companyOf(api: ApiClient): Promise<string> {
  return (await api.post('/v1/companies', { name: 'Acme', billing_email: 'acme@example.com' })).body.id;
}

async function body(
  api: ApiClient,
  overrides: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const due_at = '2027-01-31T00:00:00Z';
  return { company_id: await companyOf(api), currency: 'gbp', due_at, lines: [line()], ...overrides };
}

async function openInvoice(api: ApiClient, overrides: Record<string, unknown> = {}) {
  const { body: invoice, status } = await api.post('/v1/invoices', await body(api, overrides));
  if (status !== 201) throw new Error(JSON.stringify(invoice));
  return invoice;
}

/** An invoice without what its mail and collection change soon after its create. */
const settled = (invoice: object): object => ({ ...invoice, collection: 0, sent_at: 0, updated_at: 0 });

test('an invoice is open, numbered, and the sum of its lines', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api, {
    lines: [line({ quantity: 2.5 }), line({ unit_amount_minor: 333, tax_code: 'REDUCED' })],
    reference: 'Order 7',
  });
  // 2.5 × 10,000 = 25,000 and 20 %: 5,000. 333 and 5 %: 16.65, so 17.
  t.like(invoice, {
    status: 'open',
    currency: 'GBP',
    net_minor: 25_333,
    tax_minor: 5_017,
    total_minor: 30_350,
    outstanding_minor: 30_350,
    accounting_id: null,
    accounting_reference: 'Holdfast #1 — Order 7',
    reference: 'Order 7',
  });
  t.like(invoice.lines[0], { quantity: 2.5, net_minor: 25_000, tax_minor: 5_000 });
  t.deepEqual(settled((await api.get(`/v1/invoices/${invoice.id}`)).body), settled(invoice));
  const other = await newWorkspace();
  t.is((await other.api.get(`/v1/invoices/${invoice.id}`)).body.error.code, 'invoice_not_found');
  await sweep(t, workspace);
});

test('the tax of three lines at 15 % is rounded per line: 11.44, not 11.45', (t) => {
  const lines = [2_506, 2_561, 2_563].map((unit_amount_minor) => line({ unit_amount_minor, tax_code: 'X' }));
  const priced = priceLines(
    lines as never,
    [{ code: 'X', rate_bps: 1_500, accounting_tax_type: 'X' }],
    'GBP',
  );
  t.is(totalsOf(priced).tax_minor, 1_144);
});

test('for any lines, totals are the sum of the lines, each rounded once, half away from zero', (t) => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 99_999_999 }).map((ten_thousandths) => ten_thousandths / 10_000),
      unit_amount_minor: fc.integer({ min: -999_999, max: 999_999 }),
      rate_bps: fc.integer({ min: 0, max: 10_000 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  const round = (numerator: bigint, denominator: bigint): bigint => {
    const sign = numerator < 0n ? -1n : 1n;
    return (sign * (2n * sign * numerator + denominator)) / (2n * denominator);
  };
  fc.assert(
    fc.property(lines, (given) => {
      const codes = given.map(({ rate_bps }, i) => ({ code: `T${i}`, rate_bps, accounting_tax_type: 'T' }));
      const priced = priceLines(
        given.map((item, i) => ({ ...item, description: 'x', tax_code: `T${i}` })),
        codes,
        'GBP',
      );
      for (const [i, { quantity, unit_amount_minor, rate_bps }] of given.entries()) {
        const exact = BigInt(Math.round(quantity * 10_000)) * BigInt(unit_amount_minor);
        const net = round(exact, 10_000n);
        if (BigInt(priced[i]!.net_minor) !== net) return false;
        if (BigInt(priced[i]!.tax_minor) !== round(net * BigInt(rate_bps), 10_000n)) return false;
      }
      const { net_minor, tax_minor, total_minor } = totalsOf(priced);
      const sum = (pick: 'net_minor' | 'tax_minor') => priced.reduce((total, item) => total + item[pick], 0);
      return (
        net_minor === sum('net_minor') &&
        tax_minor === sum('tax_minor') &&
        total_minor === net_minor + tax_minor
      );
    }),
  );
  t.is(accountingReference(3, null), 'Holdfast #3');
});

test('40 concurrent creates get the numbers 1 to 40', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const asked = await body(api);
  const responses = await Promise.all(Array.from({ length: 40 }, () => api.post('/v1/invoices', asked)));
  const numbers = responses.map((response) => response.body.number).sort((a, b) => a - b);
  t.deepEqual(
    numbers,
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
  await sweep(t, workspace);
});

test('30 requests with one Idempotency-Key create one invoice, and a different body is refused', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const asked = await body(api);
  const key = { 'idempotency-key': 'order-7' };
  const responses = await Promise.all(Array.from({ length: 30 }, () => api.post('/v1/invoices', asked, key)));
  t.is(new Set(responses.map((response) => response.body.id)).size, 1);
  t.is(responses.filter((response) => response.status === 201).length, 1);
  const other = await api.post('/v1/invoices', { ...asked, currency: 'EUR' }, key);
  t.like(other, { status: 409, body: { error: { code: 'idempotency_conflict', param: 'Idempotency-Key' } } });
  await sweep(t, workspace);
});

test('invalid invoices are refused, the error names the field, and nothing is stored', async (t) => {
  const { api, id } = await newWorkspace();
  const wrong: [Record<string, unknown>, string, string?][] = [
    [{ company_id: undefined }, 'validation_failed'],
    [{ company_id: '3f0c9f5e-0000-4000-8000-000000000000' }, 'company_not_found', 'company_id'],
    [{ lines: [] }, 'validation_failed', 'lines'],
    [{ lines: Array.from({ length: 201 }, () => line()) }, 'validation_failed', 'lines'],
    [{ lines: [line({ tax_code: 'NOPE' })] }, 'validation_failed', 'lines.0.tax_code'],
    [{ lines: [line({ quantity: 1.00001 })] }, 'validation_failed', 'lines.0.quantity'],
    [{ lines: [line({ quantity: 0 })] }, 'validation_failed', 'lines.0.quantity'],
    [{ lines: [line({ unit_amount_minor: -1 })] }, 'validation_failed', 'lines.0.unit_amount_minor'],
    [{ lines: [line({ unit_amount_minor: 0.5 })] }, 'validation_failed', 'lines.0.unit_amount_minor'],
    [{ lines: [line({ unit_amount_minor: 0 })] }, 'validation_failed', 'lines'],
    [{ currency: 'POUNDS' }, 'validation_failed', 'currency'],
    [{ due_at: '2027-01-31T00:00:00' }, 'validation_failed', 'due_at'],
    [{ status: 'paid' }, 'validation_failed', 'status'],
  ];
  for (const [overrides, code, param] of wrong) {
    const response = await api.post('/v1/invoices', await body(api, overrides));
    t.is(response.body.error?.code, code, JSON.stringify(overrides));
    if (param) t.is(response.body.error.param, param);
  }
  t.is((await api.get('/v1/invoices?limit=0')).status, 422);
  t.deepEqual(await db.query(`SELECT FROM invoices WHERE workspace_id = $1`, [id]), []);
});

test('an invoice is paid when its partial payments reach the total', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api);
  const path = `/v1/invoices/${invoice.id}/mark-paid` as const;
  const part = await api.post(path, { amount_minor: 5_000, method: 'cash', paid_at: '2026-01-01T00:00:00Z' });
  t.is(part.status, 200);
  t.like(part.body, {
    invoice: { status: 'open', paid_minor: 5_000, outstanding_minor: 7_000 },
    payment: {
      kind: 'manual',
      status: 'succeeded',
      amount_minor: 5_000,
      method: 'cash',
      invoice_id: invoice.id,
    },
  });
  const more = await api.post(path, { amount_minor: 7_001, method: 'cash' });
  t.like(more, {
    status: 422,
    body: { error: { code: 'amount_exceeds_outstanding', param: 'amount_minor' } },
  });
  t.is((await api.post(`/v1/invoices/${invoice.id}/void`)).body.error.code, 'invoice_not_voidable');
  const rest = await Promise.all(
    [1, 2, 3].map(() => api.post(path, { amount_minor: 7_000, method: 'bank_transfer' })),
  );
  t.deepEqual(rest.map((response) => response.status).sort(), [200, 409, 409]);
  t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.status, 'paid');
  t.is((await api.post(path, { amount_minor: 1, method: 'cash' })).body.error.code, 'invoice_not_open');
  t.is((await api.post(path, { amount_minor: 1, method: 'beads' })).body.error.param, 'method');
  await sweep(t, workspace);
});

test('an unpaid invoice can be voided once, and the audit log has the reason', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api);
  const first = await api.post(`/v1/invoices/${invoice.id}/void`, {
    reason: 'Typo',
    audit_note: 'Asked by mail',
  });
  t.like(first, { status: 200, body: { status: 'void', outstanding_minor: 0 } });
  t.deepEqual(settled((await api.post(`/v1/invoices/${invoice.id}/void`)).body), settled(first.body));
  const entries = await db.query(
    `SELECT action, details FROM audit_log WHERE object = $1 AND action = 'invoice.voided'`,
    [invoice.id],
  );
  t.deepEqual(entries, [
    { action: 'invoice.voided', details: { reason: 'Typo', audit_note: 'Asked by mail' } },
  ]);
  const types = await db.query(
    `SELECT type FROM events WHERE object_id = $1 AND type <> 'invoice.sent' ORDER BY sequence`,
    [invoice.id],
  );
  t.deepEqual(
    types.map((row: { type: string }) => row.type),
    ['invoice.created', 'invoice.voided'],
  );
});

test('an open invoice is paid on the hosted page, and the webhook settles it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api);
  const opened = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  t.is(opened.status, 200, JSON.stringify(opened.body));
  t.deepEqual((await api.post(`/v1/invoices/${invoice.id}/checkout`)).body, opened.body, 'one open session');
  const paid = await simulator('POST', `/_sim/checkout/${sessionOf(opened.body)}/pay`, {});
  await until(async () => (await api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  const { body: payments } = await api.get(`/v1/payments?invoice_id=${invoice.id}`);
  t.is(payments.data.length, 1);
  t.like(payments.data[0], {
    kind: 'charge',
    amount_minor: 12_000,
    processor_payment_intent_id: paid.payment_intent,
  });
  const page = await (await fetch(paid.redirect_url)).text();
  t.regex(page, /Your payment has been received/);
  await sweep(t, workspace);
});

test('an amount refunded before an invoice is paid must be paid again and does not count towards its total', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id } = await openInvoice(api);
  const paid = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 4_000, method: 'cash' });
  await api.post(`/v1/payments/${paid.body.payment.id}/refund`, {});
  const whole = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 12_000, method: 'cash' });
  t.like(whole.body.invoice, { status: 'paid', paid_minor: 12_000 });
  await sweep(t, workspace);
});

test('a refused void keeps the checkout open; an accepted one closes it first, even with concurrent opens', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await openInvoice(api);
  const { body: page } = await api.post(`/v1/invoices/${id}/checkout`);
  const tooMuch = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 99_000, method: 'cash' });
  t.is(tooMuch.status, 422);
  t.is((await api.post(`/v1/invoices/${id}/checkout`)).body.checkout_url, page.checkout_url);
  const [voided] = await Promise.all([
    api.post(`/v1/invoices/${id}/void`, { reason: 'race' }),
    ...Array.from({ length: 5 }, () => api.post(`/v1/invoices/${id}/checkout`)),
  ]);
  t.is(voided.body.status, 'void');
  const open = await db.query(
    `SELECT FROM checkouts WHERE invoice_id = $1 AND state IN ('opening', 'open')`,
    [id],
  );
  t.is(open.length, 0);
});

test('a payment on the hosted page is refunded if the invoice was paid another way meanwhile', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api);
  const { body: opened } = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  const part = await api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 2_000,
    method: 'cash',
  });
  t.is(part.status, 200);
  await t.throwsAsync(
    simulator('POST', `/_sim/checkout/${sessionOf(opened)}/pay`, {}),
    undefined,
    'the session was expired first',
  );

  const second = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  await simulator('POST', `/_sim/checkout/${sessionOf(second.body)}/pay`, { async: true });
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 6_000, method: 'cash' });
  await simulator('POST', `/_sim/checkout/${sessionOf(second.body)}/settle`, {});
  // 2,000 and 6,000 by hand; of the 10,000 on the page 4,000 were due.
  const [charge] = await until(async () => {
    const rows = await db.query(
      `SELECT excess_minor, refunded_minor, status FROM payments WHERE invoice_id = $1 AND kind = 'charge'`,
      [invoice.id],
    );
    return rows[0]?.status === 'partially_refunded' && rows;
  });
  t.like(charge, { excess_minor: 6_000, refunded_minor: 6_000 });
  t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.status, 'paid');
  await sweep(t, workspace);
});

test('a debit adjustment creates an invoice, a credit adjustment refunds by the original payment method', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(api);
  const path = `/v1/invoices/${invoice.id}/adjustments` as const;
  const extra = { lines: [line({ unit_amount_minor: 1_000 })], reason: 'Late key' };
  t.is((await api.post(path, extra)).body.error.code, 'invoice_not_paid');
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 12_000, method: 'bank_transfer' });
  const debit = await api.post(path, extra);
  t.is(debit.status, 201);
  t.like(debit.body, {
    adjustment: { kind: 'debit', total_minor: 1_200, refund_id: null },
    invoice: { status: 'paid' },
  });
  const further = await api.get(`/v1/invoices/${debit.body.adjustment.invoice_id}`);
  t.like(further.body, { status: 'open', kind: 'adjustment', adjusts: invoice.id, total_minor: 1_200 });

  const broken = { lines: [line({ unit_amount_minor: -2_500 })], reason: 'Heating broke' };
  const once = { 'idempotency-key': 'heating' };
  const credit = await api.post(path, broken, once);
  t.is(credit.status, 201);
  t.like(credit.body.adjustment, { kind: 'credit', total_minor: -3_000, credit_note_id: null });
  const again = await api.post(path, broken, once);
  t.is(again.status, 200);
  t.deepEqual(again.body.adjustment, credit.body.adjustment);
  const refund = await api.get(`/v1/payments/${credit.body.adjustment.refund_id}`);
  t.like(refund.body, { kind: 'refund', status: 'succeeded', amount_minor: 3_000, method: 'bank_transfer' });
  const tooMuch = await api.post(path, { lines: [line({ unit_amount_minor: -9_000 })], reason: 'All of it' });
  t.like(tooMuch, { status: 422, body: { error: { code: 'amount_exceeds_refundable' } } });
  t.is(
    (await api.post(path, { lines: [line(), line({ unit_amount_minor: -10_000 })], reason: 'x' })).status,
    422,
  );
  await sweep(t, workspace);
});

test("a booking's invoice cannot be changed by hand while the booking awaits payment", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const path = `/v1/invoices/${booking.invoice_id}` as const;
  for (const [action, asked] of [
    ['checkout', {}],
    ['void', {}],
    ['mark-paid', { amount_minor: 3_000, method: 'cash' }],
  ] as const) {
    const response = await api.post(`${path}/${action}`, asked);
    t.like(response, { status: 409, body: { error: { code: 'invoice_managed_by_booking' } } }, action);
  }
  await sweep(t, workspace);
});

test('lists are newest first, filtered and paginated without loss; roles and scopes apply', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const asked = await body(api);
  for (let i = 0; i < 5; i++) await api.post('/v1/invoices', asked);
  const seen: (number | string)[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body: page }: ApiResponse<Page<Invoice>> = await api.get(
      `/v1/invoices?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...page.data.map((row) => row.number));
    cursor = page.next_cursor;
  }
  t.deepEqual(seen as unknown as number[], [6, 5, 4, 3, 2, 1]);
  const open = await api.get('/v1/invoices?status=open');
  t.is(open.body.data.length, 5);
  const own = await api.get(`/v1/invoices?booking_id=${booking.id}`);
  t.deepEqual(
    own.body.data.map((row) => row.id),
    [booking.invoice_id],
  );
  const clerk = await newMember(workspace, { role: 'billing_contact' });
  t.is((await clerk.api.get('/v1/invoices')).status, 200);
  t.is((await clerk.api.post('/v1/invoices', asked)).body.error.code, 'role_insufficient');
  const member = await newMember(workspace);
  t.is((await member.api.get('/v1/payments')).body.error.code, 'role_insufficient');
});
