import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { DevJson } from '../../dev/launcher/stack.js';
import type { Booking, Room } from '../support/api-bodies.js';
import { HOUR_MS } from '../../domain/durations.js';

/** A hold outlasts the run. */
const HOLD_SECONDS = 86_400;

/** A workspace with rooms. */
export interface BenchWorkspace {
  workspaceId: string;
  /** Its API key. */
  token: string;
  rooms: string[];
  /** Any request with the workspace's key. Throws unless it succeeds. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Books an unused slot for a guest, who does not pay yet. */
  book(): Promise<Booking>;
}

/** Idle connections are closed before a server closes them. */
const agent = new Agent({ keepAlive: true, timeout: 3_000 });

/**
 * Sends a request that must succeed, and returns the response's text. Node's HTTP client is cheap, which
 * matters as the load generator shares the processors with the service.
 */
export function send(method: string, url: string, token?: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
    };
    const sent = request(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(text);
        else reject(new Error(`${method} ${url} returned ${response.statusCode} ${text}`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject).end(payload);
  });
}

/**
 * Creates a workspace that accepts payments, with rooms that are always open and cost £25 an hour. `receiver`
 * is the URL that gets the event of each confirmed booking.
 */
export async function openBenchWorkspace(
  { baseUrl, internalUrl, internalToken }: DevJson,
  {
    rooms: count = 8,
    accounting = false,
    receiver,
  }: { rooms?: number; accounting?: boolean; receiver?: string } = {},
): Promise<BenchWorkspace> {
  const made = await send('POST', `${internalUrl}/internal/actions`, internalToken, {
    action: 'create_workspace',
    name: 'Bench house',
    owner_email: `bench-${randomUUID()}@example.com`,
    processor_account_id: `acct_bench${randomBytes(8).toString('hex')}`,
    accounting,
  });
  const { workspace_id: workspaceId, token } = JSON.parse(made);
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    JSON.parse(await send(method, baseUrl + path, token, body));
  if (receiver)
    await call('PUT', '/v1/webhook-endpoint', { url: receiver, event_types: ['booking.confirmed'] });
  await call('PATCH', '/v1/workspace', {
    checkout_hold_seconds: HOLD_SECONDS,
    // Mail to staff is one more mail per booking.
    notify_staff: { created: 'off', cancelled: 'off' },
  });
  const room = { time_zone: 'Europe/London', price_per_hour: { currency: 'GBP', amount_minor: 2_500 } };
  const rooms: string[] = [];
  for (let n = 1; n <= count; n++)
    rooms.push((await call<Room>('POST', '/v1/rooms', { ...room, name: `Room ${n}` })).id);

  const firstHour = Math.ceil(Date.now() / HOUR_MS) + 48;
  let slots = 0;
  return {
    workspaceId,
    token,
    rooms,
    request: call,
    book() {
      const n = slots++;
      const start = (firstHour + Math.floor(n / count)) * HOUR_MS;
      return call<Booking>('POST', '/v1/bookings', {
        room_id: rooms[n % count]!,
        start_at: new Date(start).toISOString(),
        end_at: new Date(start + HOUR_MS).toISOString(),
        booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
        idempotency_key: randomUUID(),
      });
    },
  };
}
