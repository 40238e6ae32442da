import test from 'ava';
import { newMember } from '../../support/people.js';
import type { ApiResponse } from '../../support/api-response.js';
import { confirmedBooking, listEvents } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { sweep } from '../../support/invariants.js';
import type { Invoice, Page } from '../../support/api-bodies.js';
import { body, line, createInvoice } from '../../support/invoice-calls.js';

/** An invoice without the fields that its mail and collection change soon after its create. */
const settled = (invoice: object): object => ({ ...invoice, collection: 0, sent_at: 0, updated_at: 0 });

test('an invoice is open, numbered, and the sum of its lines', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api, {
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

test('50 concurrent creates get the numbers 1 to 50, and so do their documents', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const asked = await body(api);
  const responses = await Promise.all(Array.from({ length: 50 }, () => api.post('/v1/invoices', asked)));
  const numbers = responses.map((response) => response.body.number).sort((a, b) => a - b);
  const upTo50 = Array.from({ length: 50 }, (_, i) => i + 1);
  t.deepEqual(numbers, upTo50);
  const [given, issued] = [
    responses.map((response) => response.body.document_number!),
    responses.map((response) => response.body.documents[0]!.number),
  ];
  t.deepEqual(given, issued);
  t.deepEqual(given.toSorted(), upTo50.map((n) => `TH-${n}`).toSorted());
  const [created] = await listEvents<Invoice>(responses[0]!.body.id);
  t.like(created, { type: 'invoice.created', body: { data: { object: { document_number: given[0] } } } });
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

test('an unpaid invoice can be voided once, and the audit log has the reason', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api);
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
