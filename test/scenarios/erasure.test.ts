import test from 'ava';
import { readableRuns } from '../support/histories.js';
import { anonymous, type ApiClient } from '../support/api-client.js';
import { bookingBody, pay, untilStatus } from '../support/bookings.js';
import { openInvoice } from '../support/accounting.js';
import { getPdf, readPdf } from '../support/pdf.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { createMember, listEvents } from '../support/member-calls.js';
import { newKey } from '../support/people.js';
import type { Booking } from '../support/api-bodies.js';
import { insertInvoice } from '../../commands/invoices/invoices.js';
import { newId } from '../../db/ids.js';
import { issueStatement } from '../../commands/invoices/issue-statement.js';
import { transaction } from '../../db/transaction.js';
import { dayIn } from '../../domain/cycle.js';
import type { PayerId } from '../../db/queries/payments/card.js';

/** The tables that contain a text in any column, except the processor's copies. */
async function tablesWith(text: string): Promise<string[]> {
  const tables: { name: string }[] = await db.query(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows: unknown[] = await db.query(`SELECT FROM "${name}" r WHERE r::text ILIKE $1 LIMIT 1`, [
      `%${text}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Issues a payer's statement for today. */
const issuePayerStatement = ({ id: workspace_id }: TestWorkspace, payer: PayerId) => {
  const today = dayIn('Europe/London', new Date());
  return transaction(db, (tx) => issueStatement(tx, { workspace_id, payer, from: today, to: today }));
};

/** A booking with notes that is paid and confirmed, changed once and cancelled with a reason. */
async function bookAndCancel(
  api: ApiClient,
  overrides: Record<string, unknown>,
  word: string,
): Promise<string> {
  const room = await newRoom(api);
  const { body: booking } = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { notes: `For ${word}`, ...overrides }),
  );
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await api.patch(`/v1/bookings/${booking.id}`, { notes: `Coffee for ${word}` });
  await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: `${word} is ill` });
  await untilStatus(api, booking.id, 'cancelled');
  return booking.id;
}

test('an erased member is not in the database, the events, the audit log or the histories', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const word = `zelda${Date.now().toString(36)}`;
  const email = `${word}@example.com`;
  const member = await createMember(api, { email, name: `Zoe ${word}`, send_invite: true });
  const { id } = member;
  const [mail] = await until(async () => {
    const mails = await mailTo(email);
    return mails.length > 0 && mails;
  });
  const accepted = await anonymous('POST', new URL(mail!.links[0]!).pathname, `name=Zoe+${word}`);
  t.is(accepted.status, 200);
  await api.patch(`/v1/members/${id}`, {
    name: `Zora ${word}`,
    tier: 'pro',
    tier_change_reason: `${word} asked`,
  });
  const own = await newKey(workspace, id);
  const bookingId = await bookAndCancel(api, { booked_by: { member_id: id } }, word);
  const { invoice_id } = (await api.get(`/v1/bookings/${bookingId}`)).body;
  const line = { quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
  const ofCompany = await openInvoice(workspace, { lines: [{ ...line, description: `Plan (${id})` }] });
  await issuePayerStatement(workspace, { company_id: null, member_id: id });
  const named = await tablesWith(word);
  for (const table of ['members', 'events', 'invoice_documents', 'statements'])
    t.true(named.includes(table), `${table} had the name before`);

  const colleague = await newKey(workspace, (await createMember(api)).id);
  isError(t, await colleague.delete(`/v1/members/${id}`), 403, 'role_insufficient');
  const response = await api.delete(`/v1/members/${id}`);
  t.is(response.status, 204);
  t.is<string, string>(response.body, '');
  t.deepEqual(await tablesWith(word), []);
  const runs = await readableRuns(workspace.id);
  t.true(runs.some((run) => run.includes(bookingId)));
  for (const run of runs) t.false(run.toLowerCase().includes(word));

  isError(t, await api.get(`/v1/members/${id}`), 404, 'member_not_found');
  isError(t, await api.delete(`/v1/members/${id}`), 404, 'member_not_found');
  isError(t, await own.get('/v1/workspace'), 401, 'auth_invalid');
  const list = (await api.get('/v1/members?include_archived=true')).body.data;
  t.false(list.some((other) => other.id === id));
  isError(
    t,
    await api.post('/v1/bookings', bookingBody((await newRoom(api)).id, { booked_by: { member_id: id } })),
    404,
    'member_not_found',
  );
  const { bytes } = await getPdf(api, ofCompany.documents[0]!.pdf_url);
  t.regex((await readPdf(bytes)).text, /Plan 1 £1\.00/);
  const booking = (await api.get(`/v1/bookings/${bookingId}`)).body;
  t.like(booking, { member_id: id, notes: null, status: 'cancelled', invoice_id });
  t.is((await api.get(`/v1/invoices/${invoice_id}`)).body.member_id, id);
  const events = await listEvents(id);
  t.like(events.at(-1), { type: 'member.deleted', data: { object: { id, deleted: true } } });
  t.like(events[0]!.data.object, { id, name: null, email: null, tier: 'basic' });
  const again = await api.post('/v1/members', { email, send_invite: false });
  t.is(again.status, 201, 'the address can be used again');
  t.not(again.body.id, id);
});

test('a document that is issued during an erasure does not keep the name', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [member, company] = [
    await createMember(api),
    (await api.post('/v1/companies', { name: 'Acme' })).body,
  ];
  const line = { description: `Plan (${member.id})`, quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
  let erased: Promise<{ status: number }> | undefined;
  await transaction(db, async (tx) => {
    await insertInvoice(tx, {
      id: newId('inv'),
      workspace_id: workspace.id,
      kind: 'ad_hoc',
      currency: 'GBP',
      due_at: new Date(),
      company_id: company.id,
      member_id: null,
      created_at: new Date(),
      lines: [{ ...line, tax_rate_bps: 0, net_minor: 100, tax_minor: 0 }],
    });
    const [{ pid }] = await tx.query(`SELECT pg_backend_pid() AS pid`);
    erased = api.delete(`/v1/members/${member.id}`);
    const waiting = `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`;
    await until(async () => (await db.query(waiting, [pid])).length > 0);
  });
  t.is((await erased!).status, 204);
  const stored = await db.query(`SELECT member_names FROM invoice_documents WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  t.deepEqual(stored, [{ member_names: {} }]);
});

test('a member erased in one workspace is unchanged in another', async (t) => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const here = await createMember(mine.api, { name: 'Ada' });
  const there = await createMember(theirs.api, { email: here.email, name: 'Ada L.' });
  await mine.api.delete(`/v1/members/${here.id}`);
  const left = (await theirs.api.get(`/v1/members/${there.id}?expand=profile`)).body;
  t.like(left, { name: 'Ada L.', email: here.email, profile: { name: 'Ada L.' } });
});

test('an erased guest is not stored anywhere, and their bookings remain', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const word = `gus${Date.now().toString(36)}`;
  const guest = { email: `${word}@Example.com`, name: `Gus ${word}` };
  const bookingId = await bookAndCancel(api, { booked_by: { guest } }, word);
  const other = await bookAndCancel(api, {}, 'somebody else');
  t.true((await tablesWith(word)).length > 1, 'the data was stored before');
  isError(t, await api.post('/v1/guests/erase', { email: 'nobody' }), 422, 'validation_failed');
  isError(t, await api.post('/v1/guests/erase', {}), 422, 'validation_failed');
  const elsewhere = await (await newWorkspace()).api.post('/v1/guests/erase', { email: guest.email });
  t.deepEqual(elsewhere.body, { bookings: 0 }, "another workspace's guest is not erased");
  const erased = await api.post('/v1/guests/erase', { email: guest.email.toUpperCase() });
  t.is(erased.status, 200);
  t.deepEqual(erased.body, { bookings: 1 });
  t.deepEqual(await tablesWith(word), []);
  const runs = await readableRuns(workspace.id);
  t.true(runs.some((run) => run.includes(bookingId)));
  for (const run of runs) t.false(run.toLowerCase().includes(word));
  const booking = (await api.get(`/v1/bookings/${bookingId}`)).body;
  t.like(booking, { notes: null, status: 'cancelled', booked_by: { guest: { email: null, name: null } } });
  const [first] = await listEvents<Booking>(bookingId);
  t.deepEqual(first!.data.object.booked_by, { guest: { email: null, name: null } });
  t.truthy(first!.data.object.room.name);
  t.truthy((await api.get(`/v1/bookings/${other}`)).body.booked_by.guest.email);
  t.deepEqual((await api.post('/v1/guests/erase', { email: guest.email })).body, { bookings: 0 });
  const [entry] = (await api.get('/v1/audit-log?action=guest.erased')).body.data;
  t.deepEqual(entry!.details, { bookings: 1 });
});
