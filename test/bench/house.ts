import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { post } from './members.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import type { Booking, Failure, Room } from '../support/api-bodies.js';
import { HOUR_MS } from '../../domain/durations.js';

/** Nobody pays here, so a hold must outlast the run. */
const HOLD_SECONDS = 86_400;

export interface ApiResponse<Body = Booking & Failure> {
  status: number;
  body: Body;
}

/** A workspace with rooms and unused slots. */
export interface House {
  workspaceId: string;
  rooms: string[];
  /** Requests a slot with a new idempotency key. `more`: further fields. */
  book(slot: Slot, more?: object): Promise<ApiResponse>;
  /** Any request with the key of the house. Throws unless it succeeds. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  nextSlot(): Slot;
  /** Opens the connections to the API, so that none is opened during a measurement. */
  connect(connections: number): Promise<void>;
}

export interface Slot {
  room_id: string;
  start_at: string;
  end_at: string;
}

/** Node's HTTP client. The load generator shares the processors with the service, so it must be cheap. */
function httpClient(baseUrl: string) {
  const agent = new Agent({ keepAlive: true });
  return <Body = Booking & Failure>(
    method: string,
    path: string,
    token: string,
    body?: unknown,
  ): Promise<ApiResponse<Body>> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      };
      const sent = request(baseUrl + path, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(payload);
    });
}

/**
 * Creates a workspace that accepts payments, with rooms that are always open and cost £25 an hour. `receiver` is the URL
 * that gets the event of each confirmed booking.
 */
export async function openHouse(
  dev: DevJson,
  roomCount: number,
  { accounting = false, receiver }: { accounting?: boolean; receiver?: string } = {},
): Promise<House> {
  const call = httpClient(dev.baseUrl);
  const insist = async <Body>(...args: Parameters<typeof call>): Promise<Body> => {
    const { status, body } = await call<Body>(...args);
    if (status >= 300) throw new Error(`${args[0]} ${args[1]} returned ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const { workspace_id: workspaceId, token } = await post(
    `${dev.internalUrl}/internal/actions`,
    dev.internalToken,
    {
      action: 'create_workspace',
      name: 'Bench house',
      owner_email: `bench-${randomUUID()}@example.com`,
      processor_account_id: `acct_bench${randomBytes(8).toString('hex')}`,
      accounting,
    },
  );
  if (receiver)
    await insist('PUT', '/v1/webhook-endpoint', token, { url: receiver, event_types: ['booking.confirmed'] });
  await insist('PATCH', '/v1/workspace', token, {
    checkout_hold_seconds: HOLD_SECONDS,
    // Figures from before it was on by default are without it.
    notify_staff: { created: 'off', cancelled: 'off' },
  });
  const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };
  const room = { time_zone: 'Europe/London', price_per_hour };
  const rooms: string[] = [];
  for (let n = 1; n <= roomCount; n++) {
    rooms.push((await insist<Room>('POST', '/v1/rooms', token, { ...room, name: `Room ${n}` })).id);
  }

  const firstHour = Math.ceil(Date.now() / HOUR_MS) + 48;
  let slots = 0;
  return {
    workspaceId,
    rooms,
    nextSlot() {
      const n = slots++;
      const start = (firstHour + Math.floor(n / rooms.length)) * HOUR_MS;
      return {
        room_id: rooms[n % rooms.length]!,
        start_at: new Date(start).toISOString(),
        end_at: new Date(start + HOUR_MS).toISOString(),
      };
    },
    request: <Body>(method: string, path: string, body?: unknown) => insist<Body>(method, path, token, body),
    book: (slot, more = {}) =>
      call('POST', '/v1/bookings', token, {
        ...slot,
        ...more,
        booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
        idempotency_key: randomUUID(),
      }),
    async connect(connections) {
      await Promise.all(Array.from({ length: connections }, () => insist('GET', '/v1/workspace', token)));
    },
  };
}

/** Books an unused slot. Throws unless the response is a 201. */
export async function bookOne(house: House) {
  const { status, body } = await house.book(house.nextSlot());
  if (status !== 201) throw new Error(`POST /v1/bookings returned ${status} ${JSON.stringify(body)}`);
  return body;
}
