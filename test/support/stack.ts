import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../db/data-source.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { Description } from './described.js';

const path = process.env.HOLDFAST_DEV_JSON;
if (!path) throw new Error('Run "npm test", or set HOLDFAST_DEV_JSON to the dev.json of a running stack.');

/** dev.json as it is now: pids and the like change while tests run. */
export const readDevJson = (): DevJson => JSON.parse(readFileSync(path, 'utf8')) as DevJson;
export const dev = readDevJson();

export const db = await openDatabase({ url: dev.databaseUrl, poolSize: 5 });

export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}

async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.includes('json') && text !== '';
  return { status: answer.status, headers: answer.headers, body: json ? JSON.parse(text) : text };
}

let description: Promise<Description> | undefined;

async function fetchDescription(): Promise<Description> {
  const { status, body } = await send(`${dev.baseUrl}/v1/openapi.json`, 'GET', undefined, {
    authorization: `Bearer ${dev.apiKey}`,
  });
  if (status !== 200) throw new Error(`GET /v1/openapi.json answered ${status} ${JSON.stringify(body)}`);
  return new Description(body);
}

/** Sends to the API, and holds the answer against the API's document. */
async function ask(
  on: string,
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> {
  const answer = await send(on + target, method, body, headers);
  (await (description ??= fetchDescription())).hold({ method, target, body }, answer);
  return answer;
}

/** A client of the API with one token. `on` picks another API process. */
export function client(token: string, on = dev.baseUrl) {
  const call =
    (method: string) =>
    (target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      ask(on, method, target, body, { authorization: `Bearer ${token}`, ...headers });
  return {
    token,
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  };
}
export type ApiClient = ReturnType<typeof client>;

/** A request without a token. */
export const anonymous = (
  method: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => ask(dev.baseUrl, method, target, body, headers);

/** An internal action; see contract.md. */
export const internal = (action: string, input: Record<string, unknown> = {}): Promise<Answer> =>
  send(
    `${dev.baseUrl}/internal/actions`,
    'POST',
    { action, ...input },
    { authorization: `Bearer ${dev.internalToken}` },
  );

const controls =
  (url: string | null) =>
  async (method: string, target: string, body?: unknown): Promise<any> => {
    const answer = await send(url + target, method, body);
    if (answer.status >= 400)
      throw new Error(`${method} ${target} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

/** A control of the processor's simulator. */
export const simulator = controls(dev.processorUrl);

/** A control of the accounting simulator. */
export const accountingSimulator = controls(dev.accountingUrl);

/** A control of the mailbox. */
export const mailbox = controls(dev.mailUrl);

export const mailTo = async (address: string): Promise<any[]> =>
  (await send(`${dev.mailUrl}/_sim/messages?to=${encodeURIComponent(address)}`, 'GET')).body;

/** Polls until `look` gives something truthy. Never waits a fixed time. */
export async function until<T>(
  look: () => Promise<T>,
  withinMs = 30_000,
): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Exclude<NonNullable<T>, false>;
    if (Date.now() > deadline)
      throw new Error(`not so within ${withinMs} ms: ${look.toString()}; last seen ${seen}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const uniqueEmail = (): string => `payer-${randomBytes(6).toString('hex')}@example.com`;
export const newAccount = (): string => `acct_test${randomBytes(8).toString('hex')}`;

export interface TestWorkspace {
  id: string;
  accountId: string | null;
  ownerId: string;
  api: ApiClient;
}

/** A workspace of its own, onboarded unless told otherwise, so that tests do not meet. */
export async function newWorkspace(
  overrides: { processor_account_id?: string | null; hold_seconds?: number } & Record<string, unknown> = {},
): Promise<TestWorkspace> {
  const { hold_seconds, processor_account_id, ...rest } = overrides;
  const accountId = processor_account_id === undefined ? newAccount() : processor_account_id;
  const made = await internal('create_workspace', {
    name: 'Test house',
    owner_email: uniqueEmail(),
    ...(accountId && { processor_account_id: accountId }),
    ...rest,
  });
  if (made.status !== 200) throw new Error(`create_workspace answered ${JSON.stringify(made.body)}`);
  const api = client(made.body.token);
  if (hold_seconds) await api.patch('/v1/workspace', { checkout_hold_seconds: hold_seconds });
  return { id: made.body.workspace_id, accountId, ownerId: made.body.owner_member_id, api };
}

/** A room for £30 an hour (£25 and 20 % tax) on a grid of 30 minutes in London, open always. */
export async function newRoom(api: ApiClient, overrides: Record<string, unknown> = {}): Promise<any> {
  const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };
  const made = await api.post('/v1/rooms', {
    name: 'Blue room',
    time_zone: 'Europe/London',
    price_per_hour,
    ...overrides,
  });
  if (made.status !== 201) throw new Error(`POST /v1/rooms answered ${JSON.stringify(made.body)}`);
  return made.body;
}

let nextHour = 0;

/** An hour that no other test of this process has asked for, starting `daysAhead` days from now. */
export function freeHour(daysAhead = 30): { start_at: string; end_at: string } {
  const first = Math.ceil(Date.now() / 3_600_000) + daysAhead * 24;
  const start = (first + nextHour++) * 3_600_000;
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + 3_600_000).toISOString() };
}

/** The body of a create, with everything that is required. */
export function bookingBody(roomId: string, overrides: Record<string, unknown> = {}): Record<string, any> {
  return {
    room_id: roomId,
    ...freeHour(),
    booked_by: { guest: { email: uniqueEmail(), name: 'Grace Guest' } },
    idempotency_key: randomUUID(),
    ...overrides,
  };
}

export const sessionOf = (booking: { checkout_url: string }): string =>
  /cs_[A-Za-z0-9_]+/.exec(booking.checkout_url)![0];

/** Pays a booking's checkout as the payer would. */
export const pay = (booking: { checkout_url: string }, how: Record<string, unknown> = {}): Promise<any> =>
  simulator('POST', `/_sim/checkout/${sessionOf(booking)}/pay`, how);

/** Waits until a booking has a status; gives the booking. */
export const untilStatus = (api: ApiClient, id: string, status: string, withinMs = 40_000): Promise<any> =>
  until(async () => {
    const { body } = await api.get(`/v1/bookings/${id}`);
    return body.status === status && body;
  }, withinMs);

/** Sets the simulator's faults and takes them back when the test is over. Tests with faults run one at a time. */
export async function withFaults<T>(faults: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  await simulator('POST', '/_sim/faults', faults);
  try {
    return await work();
  } finally {
    await simulator('POST', '/_sim/faults', {});
  }
}
