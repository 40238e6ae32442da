import { reference } from '../../api/openapi/index.js';
import {
  listOperations,
  parametersIn,
  collectPathIds,
  type DescribedOperation,
} from '../../api/openapi/operations.js';
import { EXAMPLES_DAY } from '../../api/resources/shared/examples.js';
import { RESOURCES } from '../../api/resources/index.js';
import { HOUR_MS } from '../../domain/durations.js';
import { bookingBody, confirmedBooking, freeHour, hoursLater } from '../support/bookings.js';
import { IN_A_YEAR } from '../support/days.js';
import { db } from '../support/stack.js';
import { storeBookings } from '../support/stored-bookings.js';
import { newPng } from '../support/png.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import { createMember } from '../support/member-calls.js';
import { createObjects, type ObjectIds } from '../support/objects.js';
import { newSite } from '../support/publishable-calls.js';

/** A key of a website of the workspace. */
const createSite = (workspace: TestWorkspace) => newSite(workspace.api);

/** The manage link of a guest's booking. */
async function guestsLink({ api }: TestWorkspace): Promise<ObjectIds> {
  const { body } = await api.post('/v1/bookings', bookingBody((await newRoom(api)).id));
  return { manage_token: body.manage_url!.split('/').at(-1)! };
}

export const OPERATIONS = listOperations([...RESOURCES, reference]);
const PATH_IDS = collectPathIds(RESOURCES);

/** Additional objects for some examples, which `createObjects` has not created. */
export const PREPARED: Record<string, (workspace: TestWorkspace, objects: ObjectIds) => Promise<ObjectIds>> =
  {
    'DELETE /v1/feeds/:id': async ({ api }, { room }) => ({
      feed: (await api.post('/v1/feeds', { kind: 'room', id: room! })).body.id,
    }),
    'GET /v1/api-keys/:id': async (workspace) => ({ key: (await createSite(workspace)).key.id }),
    // At the example's price.
    'POST /v1/public/bookings': async ({ api }) => ({ room: (await newRoom(api)).id }),
    'GET /v1/public/bookings/:token': guestsLink,
    'POST /v1/bookings/:id/payments': unpaidBooking,
    'POST /v1/bookings/:id/no-show': startedBooking,
    'POST /v1/messages': bookingOfDay,
    'GET /v1/bookings/:id/pending-change': pendingChange,
    'DELETE /v1/bookings/:id/pending-change': pendingChange,
    'POST /v1/invoices/:id/mark-paid': payableInvoice,
    'POST /v1/invoices/:id/void': payableInvoice,
    'POST /v1/invoices/:id/checkout': payableInvoice,
    'POST /v1/invoices/:id/remind': overdueInvoice,
    'GET /v1/payments/:id.pdf': refund,
    'POST /v1/payments/:id/refund': cashPayment,
    'POST /v1/members/:id/resend-invite': async ({ api }) => ({
      member: (await createMember(api, { send_invite: true })).id,
    }),
    // The test may be repeated, and an address belongs to one page.
    'PUT /v1/booking-page': async () => {
      await db.query(`DELETE FROM booking_pages WHERE slug = 'harbour-house'`);
      await db.query(`DELETE FROM booking_page_addresses WHERE slug = 'harbour-house'`);
      return {};
    },
    'POST /v1/members.bulk': newMember,
    'POST /v1/members/:id/archive': newMember,
    'DELETE /v1/members/:id': newMember,
  };

async function startedBooking({ id: workspace_id }: TestWorkspace, { room }: ObjectIds): Promise<ObjectIds> {
  const anHourAgo = new Date(Date.now() - HOUR_MS);
  const [booking] = await storeBookings({ workspace_id, room_id: room! }, [{ start_at: anHourAgo }]);
  return { booking: booking! };
}

/** A booking on the example's day. */
async function bookingOfDay({ id: workspace_id, api }: TestWorkspace): Promise<ObjectIds> {
  const room = await newRoom(api);
  await storeBookings({ workspace_id, room_id: room.id }, [
    { start_at: new Date(`${EXAMPLES_DAY}T12:00:00Z`), guest_email: uniqueEmail() },
  ]);
  return { room: room.id };
}

/** A booking at the example's price. */
async function unpaidBooking(workspace: TestWorkspace): Promise<ObjectIds> {
  const room = await newRoom(workspace.api);
  const slot = freeHour();
  const body = bookingBody(room.id, { ...slot, end_at: hoursLater(slot.start_at, 2) });
  return { booking: (await workspace.api.post('/v1/bookings', body)).body.id };
}

/** A booking whose bank requires the payer's authentication for an additional hour. */
async function pendingChange({ api }: TestWorkspace): Promise<ObjectIds> {
  const { booking } = await confirmedBooking(api, { card: '4000002760003184' });
  const end_at = hoursLater(booking.end_at, 1);
  await api.patch(`/v1/bookings/${booking.id}`, { end_at, on_authentication: 'link' });
  return { booking: booking.id };
}

async function newMember({ api }: TestWorkspace): Promise<ObjectIds> {
  return { member: (await createMember(api)).id };
}

async function payableInvoice({ api }: TestWorkspace, { company }: ObjectIds): Promise<ObjectIds> {
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const due_at = IN_A_YEAR;
  const { body } = await api.post('/v1/invoices', { company_id: company, currency: 'GBP', due_at, lines });
  return { invoice: body.id };
}

async function overdueInvoice(workspace: TestWorkspace, objects: ObjectIds): Promise<ObjectIds> {
  const ids = await payableInvoice(workspace, objects);
  await db.query(`UPDATE invoices SET due_at = now() - interval '2 days' WHERE id = $1`, [ids.invoice]);
  return ids;
}

/** A cash payment without refunds. */
async function cashPayment(workspace: TestWorkspace, objects: ObjectIds): Promise<ObjectIds> {
  const { invoice } = await payableInvoice(workspace, objects);
  const paid = { amount_minor: 100, method: 'cash' };
  return { payment: (await workspace.api.post(`/v1/invoices/${invoice}/mark-paid`, paid)).body.payment.id };
}

/** A refund of a cash payment, which succeeds immediately. */
async function refund(workspace: TestWorkspace, objects: ObjectIds): Promise<ObjectIds> {
  const { payment } = await cashPayment(workspace, objects);
  return { payment: (await workspace.api.post(`/v1/payments/${payment}/refund`, {})).body.refund.id };
}

/** The request in an operation's example. */
export interface ExampleRequest {
  method: string;
  /** Path with query. */
  target: string;
  body: unknown;
  headers: Record<string, string>;
}

/** An operation's example as a request with ids of a workspace, and a key that may send it. */
export async function buildRequest(
  workspace: TestWorkspace,
  operation: DescribedOperation,
  ids: ObjectIds,
): Promise<ExampleRequest> {
  const put = (text: string): string =>
    Object.values(PATH_IDS).reduce(
      (all, { name, example }) => (ids[name] ? all.replaceAll(example, ids[name]) : all),
      text,
    );
  const [method, path] = operation.route.split(' ') as [string, string];
  const target = parametersIn(path, PATH_IDS).reduce(
    (all, [name, id]) => all.replace(`:${name}`, ids[id!.name]!),
    path,
  );
  const query = operation.query ? `?${new URLSearchParams(operation.query)}` : '';
  const body = operation.body && JSON.parse(put(JSON.stringify(operation.body)));
  const token = path.startsWith('/v1/public/')
    ? (await createSite(workspace)).key.token!
    : workspace.api.token;
  const headers = { authorization: `Bearer ${token}` };
  if (operation.upload) {
    const isPdf = operation.upload.includes('application/pdf');
    const file = isPdf ? Buffer.from('%PDF-1.4\n%%EOF\n') : newPng();
    const type = isPdf ? 'application/pdf' : 'image/png';
    return { method, target: target + put(query), body: file, headers: { ...headers, 'content-type': type } };
  }
  return { method, target: target + put(query), body, headers };
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A workspace with objects, in which the examples run. */
export async function newExampleWorkspace(): Promise<{ workspace: TestWorkspace; objects: ObjectIds }> {
  const workspace = await newWorkspace({ accounting: true });
  const { api } = workspace;
  await until(async () => (await api.get('/v1/workspace/accounting')).status === 200);
  const objects = await createObjects(workspace);
  const opening_hours = Object.fromEntries(DAYS.map((day) => [day, [['00:00', '00:00']]]));
  const room = await api.patch(`/v1/rooms/${objects.room}`, { opening_hours, tier_discounts: { pro: 20 } });
  const member = await api.patch(`/v1/members/${objects.member}`, { tier: 'pro', role: 'admin' });
  for (const { status, body } of [room, member]) if (status !== 200) throw new Error(JSON.stringify(body));
  return { workspace, objects };
}

/**
 * The webhook endpoint first, deletes and what replaces the terms that examples accept late, and what revokes
 * the key at the very end.
 */
export function rank({ route }: DescribedOperation): number {
  if (route.endsWith('revoke-all')) return 3;
  if (route.startsWith('DELETE') || route === 'PUT /v1/booking-page/terms') return 2;
  return route.startsWith('PUT') ? 0 : 1;
}
