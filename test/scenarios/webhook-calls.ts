import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Stripe from 'stripe';
import { anonymous } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

export const { webhooks } = JSON.parse(
  readFileSync(join(dirname(process.env.HOLDFAST_DEV_JSON!), 'secrets.json'), 'utf8'),
);

export const secrets = {
  platform: webhooks.STRIPE_PLATFORM_WEBHOOK_SECRET,
  connect: webhooks.STRIPE_CONNECT_WEBHOOK_SECRET,
};

export interface ProcessorEvent {
  id: string;
  object: string;
  type: string;
  livemode: boolean;
  created: number;
  data: { object: object };
}

export function event(overrides: Record<string, unknown> = {}): ProcessorEvent {
  return {
    id: `evt_${Math.random().toString(36).slice(2)}`,
    object: 'event',
    type: 'charge.succeeded',
    livemode: false,
    created: Math.floor(Date.now() / 1000),
    data: { object: {} },
    ...overrides,
  };
}

/** Posts an event to the endpoint, signed with the given options. */
export function post(
  payload: ProcessorEvent,
  signing: { secret?: string; timestamp?: number; sent?: string } = {},
) {
  const body = JSON.stringify(payload);
  const secret = signing.secret ?? secrets.connect;
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: signing.timestamp,
  });
  return anonymous('POST', '/webhooks/processor', signing.sent ?? body, { 'stripe-signature': signature });
}

export const stored = async (id: string) =>
  (await db.query(`SELECT * FROM processor_events WHERE id = $1`, [id]))[0];

export async function pendingBooking() {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  return { workspace, booking };
}
