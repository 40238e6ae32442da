import { randomUUID } from 'node:crypto';
import { client, type ApiClient } from './api-client.js';
import { bookingBody } from './bookings.js';
import { dev } from './stack.js';
import { uniqueEmail } from './workspaces.js';

export const ORIGIN = 'https://www.harbour.example';

/** A workspace's publishable key, and a client with it that sends the origin of its site. */
export async function newSite(api: ApiClient, options: Record<string, unknown> = {}, on = dev.baseUrl) {
  const body = { name: 'Site', kind: 'publishable', origins: [ORIGIN], ...options };
  const { status, body: key } = await api.post('/v1/api-keys', body);
  if (status !== 201) throw new Error(JSON.stringify(key));
  return { key, site: client(key.token!, on) };
}

/** The body with which a public guest books a free hour. */
export function publicBookingBody(roomId: string, more: Record<string, unknown> = {}) {
  const { start_at, end_at } = bookingBody(roomId);
  return {
    room_id: roomId,
    start_at,
    end_at,
    guest: { email: uniqueEmail(), name: 'Grace Guest' },
    idempotency_key: randomUUID(),
    ...more,
  };
}
