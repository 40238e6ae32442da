import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { DevJson } from '../../dev/launcher/stack.js';

const HOUR = 3_600_000;
/** Nobody pays here: a hold must outlive the run. */
const HOLD_SECONDS = 86_400;

export interface Answer {
  status: number;
  body: any;
}

/** A workspace with rooms, and slots in them that nobody has asked for. */
export interface House {
  workspaceId: string;
  rooms: string[];
  /** Asks for a slot with a key of its own. */
  book(slot: Slot): Promise<Answer>;
  nextSlot(): Slot;
  /** Opens as many connections to the API as will be used at once, so that none is opened under measurement. */
  connect(connections: number): Promise<void>;
}

export interface Slot {
  room_id: string;
  start_at: string;
  end_at: string;
}

/** Node's bare HTTP client: the load's own cost is on the same two cores, so it has to be small. */
function httpClient(baseUrl: string) {
  const agent = new Agent({ keepAlive: true });
  return (method: string, path: string, token: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      };
      const sent = request(baseUrl + path, { agent, method, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, body: JSON.parse(text) }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(payload);
    });
}

/** Makes a workspace that takes payments, with rooms that are open always and cost £25 an hour. */
export async function openHouse(dev: DevJson, roomCount: number): Promise<House> {
  const call = httpClient(dev.baseUrl);
  const insist = async (...args: Parameters<typeof call>): Promise<any> => {
    const { status, body } = await call(...args);
    if (status >= 300) throw new Error(`${args[0]} ${args[1]} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const { workspace_id: workspaceId, token } = await insist('POST', '/internal/actions', dev.internalToken, {
    action: 'create_workspace',
    name: 'Bench house',
    owner_email: `bench-${randomUUID()}@example.com`,
    processor_account_id: `acct_bench${randomBytes(8).toString('hex')}`,
  });
  await insist('PATCH', '/v1/workspace', token, { checkout_hold_seconds: HOLD_SECONDS });
  const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };
  const room = { time_zone: 'Europe/London', price_per_hour };
  const rooms: string[] = [];
  for (let n = 1; n <= roomCount; n++) {
    rooms.push((await insist('POST', '/v1/rooms', token, { ...room, name: `Room ${n}` })).id);
  }

  const firstHour = Math.ceil(Date.now() / HOUR) + 48;
  let slots = 0;
  return {
    workspaceId,
    rooms,
    nextSlot() {
      const n = slots++;
      const start = (firstHour + Math.floor(n / rooms.length)) * HOUR;
      return {
        room_id: rooms[n % rooms.length]!,
        start_at: new Date(start).toISOString(),
        end_at: new Date(start + HOUR).toISOString(),
      };
    },
    book: (slot) =>
      call('POST', '/v1/bookings', token, {
        ...slot,
        booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
        idempotency_key: randomUUID(),
      }),
    async connect(connections) {
      await Promise.all(Array.from({ length: connections }, () => insist('GET', '/v1/workspace', token)));
    },
  };
}

/** Books a slot of its own; anything but a new booking is an error. */
export async function bookOne(house: House): Promise<any> {
  const { status, body } = await house.book(house.nextSlot());
  if (status !== 201) throw new Error(`POST /v1/bookings answered ${status} ${JSON.stringify(body)}`);
  return body;
}
