import { newId, newUuid } from '../../db/ids.js';
import { insertEvent } from '../../commands/events/events.js';
import { DEFAULT_DETAILS } from '../../domain/bookings/details.js';
import type { EventType } from '../../domain/events/types.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import type { ApiClient } from './api-client.js';
import { bookingBody } from './bookings.js';
import { db } from './stack.js';
import { until } from './until.js';
import { newRoom, newWorkspace, type TestWorkspace } from './workspaces.js';
import { openReceiver, type Receiver, type Reply } from './receiver.js';

/** Creates a workspace with a webhook endpoint and its receiver, which the test must `close`. */
export async function newSubscriber(
  reply?: Reply,
  endpoint: Record<string, unknown> = {},
): Promise<{ workspace: TestWorkspace; api: ApiClient; receiver: Receiver; secret: string }> {
  const receiver = await openReceiver(reply);
  const workspace = await newWorkspace();
  const { api } = workspace;
  const made = await api.put('/v1/webhook-endpoint', { url: receiver.url, ...endpoint });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { workspace, api, receiver, secret: made.body.secret };
}

/** A booking as events contain it, without a row in the database. */
export function someBooking(id = newObjectId()) {
  const now = new Date();
  return presentBooking({
    id,
    reference: 'K7QM2XD',
    status: 'confirmed',
    checkout_url: null,
    expires_at: null,
    room_id: newUuid(),
    room_name: 'Blue room',
    time_zone: 'Europe/London',
    start_at: now,
    end_at: now,
    member_id: newId('mem'),
    guest_email: null,
    guest_name: null,
    source: 'api',
    guest_billing: null,
    answers: null,
    locale: null,
    terms_version: null,
    terms_accepted_at: null,
    company_id: null,
    metadata: {},
    ...DEFAULT_DETAILS,
    currency: 'GBP',
    price_minor: 0,
    net_minor: 0,
    tax_minor: 0,
    tax_code: 'STANDARD',
    tax_rate_bps: 2_000,
    price_per_hour_minor: 0,
    discount_percent: 0,
    pricing: null,
    hour_credits_used: 0,
    account_days: null,
    paid_at_desk: false,
    invoice_id: null,
    processor_payment_intent_id: null,
    confirmation_source: null,
    sequence: 0,
    created_at: now,
    updated_at: now,
    confirmed_at: now,
    cancelled_at: null,
    completed_at: null,
    no_show_at: null,
  });
}

/** Stores events in one transaction. Returns their ids. */
export const storeEvents = (
  workspaceId: string,
  objectIds: string[],
  type: EventType = 'booking.updated',
): Promise<string[]> =>
  db.transaction(async (tx) => {
    const ids: string[] = [];
    for (const id of objectIds)
      ids.push(
        await insertEvent(tx, {
          type,
          workspace_id: workspaceId,
          object: someBooking(id),
          created_at: new Date(),
        }),
      );
    return ids;
  });

export const newObjectId = (): string => newId('bk');

/** Creates a free booking, which has two events: `booking.created` and `booking.confirmed`. */
export async function freeBooking(api: ApiClient) {
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const { status, body } = await api.post('/v1/bookings', bookingBody(room.id));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

/** Waits until an event has `count` delivery attempts. Returns them. */
export const untilAttempts = (api: ApiClient, eventId: string, count: number) =>
  until(async () => {
    const { body } = await api.get(`/v1/events/${eventId}`);
    return body.deliveries?.length >= count && body.deliveries;
  });
