import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../../dev/launcher/report.js';
import { checkInvariants } from '../support/invariants.js';
import { openReceiver } from '../support/receiver.js';
import { client, internal } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { bookingBody, pay } from '../support/bookings.js';
import { accountingSimulator, mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newAccount, newRoom, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import { watchConnections } from './connections.js';
import { checkEdge } from './edge.js';
import type { ServiceProcess } from './service-processes.js';
import { TLS, type Topology } from './topology.js';

const CLIENTS = 3;
const WAITING = 6;
const HOLD_SECONDS = 10;
const RECOVERED_WITHIN_MS = 120_000;

export interface TopologyReport {
  bookings: { confirmed: number; expired: number };
  /** How processes ended on SIGTERM, and after how many seconds. */
  stopped: { process: string; how: string; seconds: number; grace_seconds: number }[];
  /** Seconds from Temporal's start until everything that waited for it was done. */
  recovered_seconds: number;
  connections: { most: number; limit: number };
  webhooks: number;
  mails: number;
  /** Problems found. */
  wrong: string[];
}

/** Takes bookings through the topology while its processes stop, and compares everything at the end. */
export async function runScenario(topology: Topology, report: Report): Promise<TopologyReport> {
  const wrong: string[] = [];
  const expect = (so: boolean, what: string): void => {
    if (!so) wrong.push(what);
  };
  const result: TopologyReport = {
    bookings: { confirmed: 0, expired: 0 },
    stopped: [],
    recovered_seconds: 0,
    connections: await watchConnections(),
    webhooks: 0,
    mails: 0,
    wrong,
  };
  await report.step('the edge', () => checkEdge(topology, expect));

  const receiver = await openReceiver(undefined, TLS);
  const workspace = await newWorkspaceInside(topology);
  const { api } = workspace;
  const endpoint = await api.put('/v1/webhook-endpoint', { url: receiver.url });
  expect(endpoint.status < 300, `PUT /v1/webhook-endpoint returned ${JSON.stringify(endpoint)}`);
  const [{ tenant_id: tenant }] = await db.query(
    'SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1',
    [workspace.id],
  );
  // The real limit of 60 calls a minute would only make the run longer.
  await accountingSimulator('POST', '/_sim/faults', { tenant, minute_limit: 1_000_000 });
  const room = await newRoom(api);
  /** The payer's address for each booking that must be confirmed. */
  const payers = new Map<string, string>();
  const create = async (body = bookingBody(room.id)) => {
    const { status, body: booking } = await patiently(() => api.post('/v1/bookings', body));
    // 200: another process has completed it since it was refused.
    if (status !== 201 && status !== 200)
      throw new Error(`POST /v1/bookings returned ${status} ${JSON.stringify(booking)}`);
    payers.set(booking.id, body.booked_by.guest.email);
    return booking;
  };

  /** Waits for the webhook, as polling the API would use up its rate limits. */
  const untilDelivered = (id: string, type: string): Promise<unknown> =>
    until(
      async () => receiver.received.some(({ event }) => event.type === type && event.data.object.id === id),
      RECOVERED_WITHIN_MS,
    );

  await report.step('bookings while an API process and a worker stop', async () => {
    const stop = new AbortController();
    const book = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        try {
          const booking = await create();
          await pay(booking);
          await untilDelivered(booking.id, 'booking.confirmed');
          result.bookings.confirmed++;
        } catch (error) {
          wrong.push((error as Error).message);
        }
      }
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, book));
    const some = (): Promise<unknown> => {
      const enough = result.bookings.confirmed + CLIENTS * 2;
      return until(async () => wrong.length > 0 || result.bookings.confirmed >= enough, RECOVERED_WITHIN_MS);
    };
    await some();
    for (const leaving of [topology.apis[0]!, topology.workers[0]!]) {
      result.stopped.push(await stopWell(leaving, expect));
      await some();
      await leaving.start();
      await some();
    }
    stop.abort();
    await load;
  });

  await report.step('Temporal is killed', async () => {
    const waiting = await Promise.all(Array.from({ length: WAITING }, () => create()));
    const hold = await patiently(() => api.patch('/v1/workspace', { checkout_hold_seconds: HOLD_SECONDS }));
    expect(hold.status === 200, `PATCH /v1/workspace returned ${hold.status}`);
    const unpaid = await create();
    payers.delete(unpaid.id);
    await topology.temporal.kill();
    for (const booking of waiting) await pay(booking);
    const body = bookingBody(room.id);
    const refused = await patiently(() => api.post('/v1/bookings', body));
    expect(
      refused.status === 503 && refused.body.error?.code === 'service_unavailable',
      `a create without Temporal returned ${refused.status} ${JSON.stringify(refused.body)}`,
    );
    await until(async () => Date.parse(unpaid.expires_at!) < Date.now(), HOLD_SECONDS * 2_000);
    const began = performance.now();
    await topology.temporal.start();
    for (const { id } of waiting) await untilDelivered(id, 'booking.confirmed');
    await untilDelivered(unpaid.id, 'booking.expired');
    const repeated = await create(body);
    await pay(repeated);
    await untilDelivered(repeated.id, 'booking.confirmed');
    result.recovered_seconds = secondsSince(began);
    result.bookings.confirmed += waiting.length + 1;
    result.bookings.expired++;
  });

  await report.step('what is left', async () => {
    const secret = endpoint.body.secret as string;
    for (const [id, payer] of payers) {
      await until(async () => (await mailTo(payer)).length > 0).catch(() => undefined);
      const mails = (await mailTo(payer)).length;
      expect(mails === 1, `${id} has ${mails} mails`);
      result.mails += mails;
      const receivedTypes = (): string[] => [
        ...new Set(
          receiver.received.filter(({ event }) => event.data.object.id === id).map(({ event }) => event.type),
        ),
      ];
      await until(async () => receivedTypes().includes('booking.confirmed')).catch(() => undefined);
      expect(
        isDeepStrictEqual(receivedTypes(), ['booking.created', 'booking.confirmed']),
        `the webhooks of ${id}: ${receivedTypes()}`,
      );
    }
    for (const { raw, headers } of receiver.received) {
      const signature = createHmac('sha256', secret).update(raw).digest('hex');
      expect(headers['service-signature'] === signature, 'a webhook has another signature');
    }
    result.webhooks = receiver.received.length;
    for await (const { invariant, found, expected } of checkInvariants(workspace))
      expect(isDeepStrictEqual(found, expected), `${invariant}: ${JSON.stringify(found)}`);
    for (const url of [...topology.apis, ...topology.workers].flatMap(({ metrics }) => metrics)) {
      const { status } = await fetch(url);
      expect(status === 200, `${url} returned ${status}`);
    }
    await topology.runJob('check', 'prepare', ['build/deploy/check.js']);
  });

  await report.step('everything stops', async () => {
    for (const each of [...topology.apis, ...topology.workers])
      result.stopped.push(await stopWell(each, expect));
  });
  topology.balancer.close();
  receiver.close();
  expect(
    result.connections.most < result.connections.limit * 0.9,
    'Postgres is close to its last connection',
  );
  return result;
}

/** Repeats a request that is refused by the rate limits, which are those of production. */
const patiently = <Body>(request: () => Promise<ApiResponse<Body>>) =>
  until(async () => {
    const response = await request();
    return response.status !== 429 && response;
  });

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

async function stopWell(
  process: ServiceProcess,
  expect: (so: boolean, what: string) => void,
): Promise<TopologyReport['stopped'][number]> {
  const began = performance.now();
  const how = await process.stop();
  expect(how.endsWith('exit code 0'), `${process.name} ${how}`);
  return {
    process: process.name,
    how: how.replace(/^\(pid \d+\) /, ''),
    seconds: secondsSince(began),
    grace_seconds: process.graceMs / 1_000,
  };
}

/** Creates the first workspace from inside, as docs/guides/install.md says, with an accounting system. */
async function newWorkspaceInside({ dev }: Topology): Promise<TestWorkspace> {
  const accountId = newAccount();
  const { status, body } = await internal(
    'create_workspace',
    { name: 'Our house', owner_email: uniqueEmail(), processor_account_id: accountId, accounting: true },
    dev,
  );
  if (status !== 200 || body.accounting_error)
    throw new Error(`create_workspace returned ${JSON.stringify(body)}`);
  return { id: body.workspace_id, accountId, ownerId: body.owner_member_id, api: client(body.token) };
}
