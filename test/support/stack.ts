import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../db/data-source.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import type { Message } from '../../dev/mailbox/messages.js';
import { HOUR_MS } from '../../domain/durations.js';
import type { ApiResponse } from './api-response.js';
import type { Booking, BodyOf, Failure, Method, Room } from './api-bodies.js';
import type { ProcessorLedger } from './ledgers.js';
import type { OpenApi } from '../../api/openapi/open-api.js';
import { Description } from './described.js';

export type { ApiResponse };

const path = process.env.HOLDFAST_DEV_JSON;
if (!path) throw new Error('Run "npm test", or set HOLDFAST_DEV_JSON to the dev.json of a running stack.');

/** The current content of dev.json: pids change when processes restart. */
export const readDevJson = (): DevJson => JSON.parse(readFileSync(path, 'utf8')) as DevJson;
export const dev = readDevJson();

export const db = await openDatabase({ url: dev.databaseUrl, poolSize: 5, connectTimeoutMs: 30_000 });

async function send<Body>(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse<Body>> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: (json ? JSON.parse(text) : text) as Body,
  };
}

let description: Promise<Description> | undefined;

async function fetchDescription(): Promise<Description> {
  const { status, body } = await send<OpenApi>(`${dev.baseUrl}/v1/openapi.json`, 'GET', undefined, {
    authorization: `Bearer ${dev.apiKey}`,
  });
  if (status !== 200) throw new Error(`GET /v1/openapi.json returned ${status} ${JSON.stringify(body)}`);
  return new Description(body);
}

/** Sends a request to the API and validates the response against the API document. */
async function ask<Body extends Failure | string>(
  on: string,
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<ApiResponse<Body>> {
  const response = await send<Body>(on + target, method, body, headers);
  (await (description ??= fetchDescription())).validate({ method, target, body }, response);
  return response;
}

/** An API client with a token. `on` is the address of the API process. */
export function client(token: string, on = dev.baseUrl) {
  const call =
    <M extends Method>(method: M) =>
    <Path extends string>(
      target: Path,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<ApiResponse<BodyOf<M, Path>>> =>
      ask(on, method.toUpperCase(), target, body, { authorization: `Bearer ${token}`, ...headers });
  return {
    token,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
}
export type ApiClient = ReturnType<typeof client>;

/** Sends a request without a token. */
export const anonymous = <Path extends string>(
  method: string,
  target: Path,
  body?: unknown,
  headers: Record<string, string> = {},
) =>
  ask<
    Path extends `/v1/openapi.json`
      ? OpenApi & Failure
      : Path extends `/v1/${string}`
        ? Failure
        : string & Failure
  >(dev.baseUrl, method, target, body, headers);

/** The body of the action `create_workspace`. */
interface CreatedWorkspace {
  workspace_id: string;
  owner_member_id: string;
  token: string;
  accounting_error?: string;
}

interface ActionResults {
  create_workspace: CreatedWorkspace;
  run_job: Record<string, number> & { created: string[]; skipped: number };
  backfill_reference: Record<string, number>;
  verify_payment: { payment_id: string; booking: Booking; already_confirmed: boolean };
}

/** Calls `POST /internal/actions`, of the stack's service unless another is given. */
export const internal = <Action extends string>(
  action: Action,
  input: Record<string, unknown> = {},
  { internalUrl, internalToken }: Pick<DevJson, 'internalUrl' | 'internalToken'> = dev,
): Promise<ApiResponse<Failure & (Action extends keyof ActionResults ? ActionResults[Action] : unknown)>> =>
  send(
    `${internalUrl}/internal/actions`,
    'POST',
    { action, ...input },
    { authorization: `Bearer ${internalToken}` },
  );

/** What the controls of the simulators return of the object that they act on. */
interface Settled {
  id: string;
  payment_intent: string;
  redirect_url: string;
  tenant_id: string;
  refunds: object[];
  created: number;
  evidence_details: { due_by: number };
}

const controls =
  (url: string | null) =>
  async <Answer = Settled>(method: string, target: string, body?: unknown): Promise<Answer> => {
    const response = await send<Answer>(url + target, method, body);
    if (response.status >= 400)
      throw new Error(`${method} ${target} returned ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };

/** Calls a control of the processor simulator. */
export const simulator = controls(dev.processorUrl);

/** Calls a control of the accounting simulator. */
export const accountingSimulator = controls(dev.accountingUrl);

/** A control of the mailbox. */
export const mailbox = controls(dev.mailUrl);

/** The address of a workspace's owner. */
export const ownerOf = async (workspaceId: string): Promise<string> =>
  (
    await db.query(
      `SELECT p.email FROM members m JOIN profiles p ON p.id = m.profile_id
       WHERE m.workspace_id = $1 AND m.role = 'owner'`,
      [workspaceId],
    )
  )[0].email;

export const mailTo = async (address: string): Promise<Message[]> =>
  (await send<Message[]>(`${dev.mailUrl}/_sim/messages?to=${encodeURIComponent(address)}`, 'GET')).body;

const SHORTEST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 500;

type Seen<T> = Exclude<NonNullable<T>, false | '' | 0>;

/** Polls until `look` returns something truthy. The interval grows with the time waited. */
export async function until<T>(look: () => Promise<T>, withinMs = 30_000): Promise<Seen<T>> {
  const began = Date.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen as Seen<T>;
    const waited = Date.now() - began;
    if (waited > withinMs)
      throw new Error(`not so within ${withinMs} ms: ${look.toString()}; last seen ${seen}`);
    const pause = Math.min(Math.max(waited / 5, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pause));
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

/** Creates a workspace, so that tests do not affect each other. It is onboarded unless `processor_account_id` is null. */
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
  if (made.status !== 200) throw new Error(`create_workspace returned ${JSON.stringify(made.body)}`);
  if (made.body.accounting_error) throw new Error(made.body.accounting_error);
  const api = client(made.body.token);
  if (hold_seconds) await api.patch('/v1/workspace', { checkout_hold_seconds: hold_seconds });
  return { id: made.body.workspace_id, accountId, ownerId: made.body.owner_member_id, api };
}

/** Creates a room in London: £25 an hour plus 20 % tax, slots of 30 minutes, always open. */
export async function newRoom(api: ApiClient, overrides: Record<string, unknown> = {}): Promise<Room> {
  const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };
  const made = await api.post('/v1/rooms', {
    name: 'Blue room',
    time_zone: 'Europe/London',
    price_per_hour,
    ...overrides,
  });
  if (made.status !== 201) throw new Error(`POST /v1/rooms returned ${JSON.stringify(made.body)}`);
  return made.body;
}

const hoursTaken = new Map<number, number>();

/** An hour at least `daysAhead` days from now that no other call in this process has returned. */
export function freeHour(daysAhead = 30): { start_at: string; end_at: string } {
  const taken = hoursTaken.get(daysAhead) ?? 0;
  hoursTaken.set(daysAhead, taken + 1);
  const start = (Math.ceil(Date.now() / HOUR_MS) + daysAhead * 24 + taken) * HOUR_MS;
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + HOUR_MS).toISOString() };
}

// An alias, so that it is a `Record` too.
type BookingBody = {
  room_id: string;
  start_at: string;
  end_at: string;
  booked_by: { guest: { email: string; name: string } };
  idempotency_key: string;
  notes?: string;
};

/** The body of `POST /v1/bookings` with all required fields. */
export function bookingBody(roomId: string, overrides: Record<string, unknown> = {}): BookingBody {
  return {
    room_id: roomId,
    ...freeHour(),
    booked_by: { guest: { email: uniqueEmail(), name: 'Grace Guest' } },
    idempotency_key: randomUUID(),
    ...overrides,
  };
}

export const sessionOf = (booking: { checkout_url: string | null }): string =>
  /cs_[A-Za-z0-9_]+/.exec(booking.checkout_url!)![0];

/** Pays the checkout of a booking. */
export const pay = (booking: { checkout_url: string | null }, how: Record<string, unknown> = {}) =>
  simulator('POST', `/_sim/checkout/${sessionOf(booking)}/pay`, how);

/** Waits until a booking has a status. Returns the booking. */
export const untilStatus = (
  api: ApiClient,
  id: string,
  status: string,
  withinMs = 40_000,
): Promise<Booking> =>
  until(async () => {
    const { body } = await api.get(`/v1/bookings/${id}`);
    return body.status === status && body;
  }, withinMs);

type Account = Pick<TestWorkspace, 'accountId'>;

/** The processor's state of a workspace's account. */
export const processorLedger = ({ accountId }: Account): Promise<ProcessorLedger> =>
  simulator<ProcessorLedger>('GET', `/_sim/ledger?account=${accountId}`);

/** Runs `work` with faults on a workspace's account at the processor. */
export async function withFaults<T>(
  { accountId: account }: Account,
  faults: Record<string, unknown>,
  work: () => Promise<T>,
): Promise<T> {
  await simulator('POST', '/_sim/faults', { account, ...faults });
  try {
    return await work();
  } finally {
    await simulator('POST', '/_sim/faults', { account });
  }
}

/** Runs `work` while refunds on a workspace's account stay pending, fail later, or lack balance. */
export async function withRefundMode<T>(
  { accountId: account }: Account,
  mode: 'pending' | 'fail_later' | 'no_balance',
  work: () => Promise<T>,
): Promise<T> {
  await simulator('POST', '/_sim/refund_mode', { account, mode });
  try {
    return await work();
  } finally {
    await simulator('POST', '/_sim/refund_mode', { account, mode: 'succeed' });
  }
}
