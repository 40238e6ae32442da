import { issueStatement } from '../../commands/invoices/issue-statement.js';
import { newId } from '../../db/ids.js';
import { dayIn } from '../../domain/cycle.js';
import { listOperations } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import type { ApiResponse } from './api-response.js';
import { bookingBody, freeHour } from './bookings.js';
import { IN_A_YEAR, ON_NEXT_MONDAY } from './days.js';
import { db } from './stack.js';
import { until } from './until.js';
import { newRoom, type TestWorkspace } from './workspaces.js';
import { createMember } from './member-calls.js';

/** The ids of a workspace's objects by the name of the resource, such as `room`. */
export type ObjectIds = Record<string, string>;

const succeed = async <Body>(request: Promise<ApiResponse<Body>>): Promise<Body> => {
  const { status, body } = await request;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
};

/** Objects that need preparation, or options that differ from the example in the API document. */
async function prepareObjects({ api, id, ownerId }: TestWorkspace): Promise<ObjectIds> {
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const blackout = await succeed(api.post(`/v1/rooms/${room.id}/blackouts`, freeHour(60)));
  const booking = await succeed(
    api.post('/v1/bookings', bookingBody(room.id, { booked_by: { member_id: ownerId } })),
  );
  const night = { name: 'Night', from: '03:00', to: '04:00', amount_minor: 0 };
  const { rates } = await succeed(api.put(`/v1/rooms/${room.id}/rates`, { rates: [night] }));
  // The code in the example is left for its create.
  const discount = await succeed(api.post('/v1/discounts', { code: 'PREPARED', percent: 10 }));
  const member = await createMember(api);
  const invoice = await succeed(
    api.post('/v1/invoices', {
      member_id: member.id,
      currency: 'GBP',
      due_at: IN_A_YEAR,
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }],
    }),
  );
  const paid = { amount_minor: 100, method: 'cash' };
  const { payment } = await succeed(api.post(`/v1/invoices/${invoice.id}/mark-paid`, paid));
  const statement = newId('stmt');
  await db.transaction((tx) =>
    issueStatement(tx, {
      id: statement,
      workspace_id: id,
      payer: { company_id: null, member_id: member.id },
      from: dayIn('Europe/London', new Date()),
      to: dayIn('Europe/London', new Date()),
    }),
  );
  const event = await until(async () => (await api.get('/v1/events')).body.data[0]);
  await succeed(api.get(`/v1/reconciliation?${ON_NEXT_MONDAY}`));
  const [reconciliation] = await db.query(`SELECT id FROM reconciliations WHERE workspace_id = $1`, [id]);
  // As long as the processor's, and unlike ids of ours.
  const payout = `po_1${newId('evt').slice(-23).toUpperCase()}`;
  await db.query(
    `INSERT INTO payouts (id, workspace_id, account_id, status, automatic, reconciled, currency,
       amount_minor, arrives_on, created_at)
     VALUES ($1, $2, 'acct_none', 'paid', false, false, 'GBP', 100, now(), now())`,
    [payout, id],
  );
  const feed = await succeed(api.post('/v1/feeds', { kind: 'room', id: room.id }));
  return {
    feed: feed.id,
    payout,
    reconciliation: reconciliation.id,
    room: room.id,
    blackout: blackout.id,
    rate: rates[0]!.id,
    discount: discount.id,
    booking: booking.id,
    member: member.id,
    invoice: invoice.id,
    document: invoice.documents[0]!.number,
    statement,
    payment: payment.id,
    event: event.id,
    manage_token: booking.manage_url!.split('/').at(-1)!,
  };
}

/**
 * One object of each resource. Those that need no preparation are created from the
 * example in the API document.
 */
export async function createObjects(workspace: TestWorkspace): Promise<ObjectIds> {
  const objects = await prepareObjects(workspace);
  for (const { ids = {}, ...resource } of RESOURCES)
    for (const [segment, { name }] of Object.entries(ids)) {
      if (name in objects) continue;
      const example = listOperations([resource]).find(({ route }) => route === `POST /v1/${segment}`);
      if (!example?.body) throw new Error(`Nothing creates a ${name}: add it to prepareObjects.`);
      const created = await succeed(workspace.api.post(`/v1/${segment}`, example.body));
      objects[name] = created.id ?? created[`${name}_id`];
    }
  return objects;
}
