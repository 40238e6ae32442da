import test from 'ava';
import { contentOf } from '../../api/openapi/open-api.js';
import { reference } from '../../api/openapi/index.js';
import { operationsOf, pathIdsOf, type DescribedOperation } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import { HOUR_MS } from '../../domain/durations.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { differencesOf } from '../support/shapes.js';
import { anonymous, newWorkspace, until, type ApiResponse, type TestWorkspace } from '../support/stack.js';
import type { Failure } from '../support/api-bodies.js';
import { document } from './described-api.js';
import { createMember } from './member-calls.js';
import { createObjects, type ObjectIds } from './objects.js';
import { storeBookings } from './stored-bookings.js';

const OPERATIONS = operationsOf([...RESOURCES, reference]);
const PATH_IDS = pathIdsOf(RESOURCES);

/** What some examples need that `createObjects` has not created. */
const PREPARED: Record<string, (workspace: TestWorkspace, objects: ObjectIds) => Promise<ObjectIds>> = {
  'POST /v1/bookings/:id/no-show': startedBooking,
  'GET /v1/bookings/:id/pending-change': pendingChange,
  'DELETE /v1/bookings/:id/pending-change': pendingChange,
  'POST /v1/invoices/:id/mark-paid': openInvoice,
  'POST /v1/invoices/:id/void': openInvoice,
  'POST /v1/invoices/:id/checkout': openInvoice,
  'GET /v1/payments/:id.pdf': refund,
  'POST /v1/members/:id/resend-invite': async ({ api }) => ({
    member: (await createMember(api, { send_invite: true })).id,
  }),
  'POST /v1/members.bulk': newMember,
  'POST /v1/members/:id/archive': newMember,
  'DELETE /v1/members/:id': newMember,
};

async function startedBooking({ id: workspace_id }: TestWorkspace, { room }: ObjectIds): Promise<ObjectIds> {
  const anHourAgo = new Date(Date.now() - HOUR_MS);
  const [booking] = await storeBookings({ workspace_id, room_id: room! }, [{ start_at: anHourAgo }]);
  return { booking: booking! };
}

/** A booking whose bank wants to authenticate the payer of an hour more. */
async function pendingChange({ api }: TestWorkspace): Promise<ObjectIds> {
  const { booking } = await confirmedBooking(api, { card: '4000002760003184' });
  const end_at = hoursLater(booking.end_at, 1);
  await api.patch(`/v1/bookings/${booking.id}`, { end_at, on_authentication: 'link' });
  return { booking: booking.id };
}

async function newMember({ api }: TestWorkspace): Promise<ObjectIds> {
  return { member: (await createMember(api)).id };
}

async function openInvoice({ api }: TestWorkspace, { company }: ObjectIds): Promise<ObjectIds> {
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const due_at = '2030-01-01T00:00:00Z';
  const { body } = await api.post('/v1/invoices', { company_id: company, currency: 'GBP', due_at, lines });
  return { invoice: body.id };
}

/** A refund of a payment in cash, which succeeds immediately. */
async function refund(workspace: TestWorkspace, objects: ObjectIds): Promise<ObjectIds> {
  const { api } = workspace;
  const { invoice } = await openInvoice(workspace, objects);
  const { body } = await api.post(`/v1/invoices/${invoice}/mark-paid`, { amount_minor: 100, method: 'cash' });
  return { payment: (await api.post(`/v1/payments/${body.payment.id}/refund`, {})).body.refund.id };
}

/** Sends an operation's example with ids of this workspace. */
async function send(
  workspace: TestWorkspace,
  operation: DescribedOperation,
  ids: ObjectIds,
): Promise<ApiResponse> {
  const put = (text: string): string =>
    Object.values(PATH_IDS).reduce(
      (all, { name, example }) => (ids[name] ? all.replaceAll(example, ids[name]) : all),
      text,
    );
  const [method, path] = operation.route.split(' ') as [string, string];
  const target = path.replace(
    /\/([a-z-]+)\/:\w+/g,
    (_, segment) => `/${segment}/${ids[PATH_IDS[segment]!.name]}`,
  );
  const query = operation.query ? `?${new URLSearchParams(operation.query)}` : '';
  const body = operation.body && JSON.parse(put(JSON.stringify(operation.body)));
  return anonymous(method, target + put(query), body, { authorization: `Bearer ${workspace.api.token}` });
}

/** The webhook endpoint first, deletes late, and what revokes the key last. */
function rank({ route }: DescribedOperation): number {
  if (route.endsWith('revoke-all')) return 3;
  if (route.startsWith('DELETE')) return 2;
  return route.startsWith('PUT') ? 0 : 1;
}

/** The example of an operation's response in the API document. */
function exampleOf({ route }: DescribedOperation, status: number): unknown {
  const [method, path] = route.split(' ') as [string, string];
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const response = operation?.responses[status];
  return response && contentOf(response)?.['application/json']?.example;
}

test('every example runs, and the responses and events have the fields of their examples', async (t) => {
  const workspace = await newWorkspace({ accounting: true });
  await until(async () => (await workspace.api.get('/v1/workspace/accounting')).status === 200);
  const objects = await createObjects(workspace);
  const always = Object.fromEntries(DAYS.map((day) => [day, [['00:00', '00:00']]]));
  const room = { opening_hours: always, tier_discounts: { pro: 20 } };
  t.is((await workspace.api.patch(`/v1/rooms/${objects.room}`, room)).status, 200);
  const member = { tier: 'pro', role: 'admin' };
  t.is((await workspace.api.patch(`/v1/members/${objects.member}`, member)).status, 200);
  const differences: string[] = [];
  for (const operation of [...OPERATIONS].sort((a, b) => rank(a) - rank(b))) {
    const { route } = operation;
    if (route.endsWith('revoke-all')) differences.push(...(await differencesOfEvents(workspace)));
    const ids = { ...objects, ...(await PREPARED[route]?.(workspace, objects)) };
    const { status, body } = await send(workspace, operation, ids);
    if (route === 'POST /v1/oauth-clients')
      objects.client = (body as Failure & { client_id: string }).client_id;
    t.true(status < 300, `${route} returned ${status} ${JSON.stringify(body)}`);
    const example = exampleOf(operation, status);
    if (example !== undefined) differences.push(...differencesOf(plain(example), body, route, ANY));
  }
  t.deepEqual(differences, []);
});

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** What depends on the kind of the entry or event, on who booked, and on the room. */
const ANY = /(\.details|\.data\.object|\.data\.previous|\.booked_by|\.opening_hours)$/;

/** As JSON, without fields that are undefined. */
const plain = (example: unknown): unknown => JSON.parse(JSON.stringify(example));

/** The previous values of an update are those of what has changed. */
const anyIn = (type: string): RegExp =>
  type.endsWith('.updated') ? /\.(booked_by|data\.previous)$/ : /\.booked_by$/;

/** How the stored events of a workspace differ from the examples of their types. */
async function differencesOfEvents({ api }: TestWorkspace): Promise<string[]> {
  const { data } = (await api.get('/v1/events?limit=200')).body;
  return data.flatMap((event) => {
    const { example } = document.webhooks[event.type]!.post.requestBody.content['application/json'];
    return differencesOf(plain(example), event, event.type, anyIn(event.type));
  });
}
