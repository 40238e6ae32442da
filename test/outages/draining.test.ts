import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { startApi } from '../support/api-process.js';
import { sweep } from '../support/invariants.js';
import { startLoadBalancer } from '../support/load-balancer.js';
import { client } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { db, readDevJson } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

const CLIENTS = 4;
/** How long a client waits between its bookings, and between its reads. */
const BOOKING_PAUSE_MS = 100;
const READ_PAUSE_MS = 10;

test('an API process and the worker stop under load without a failed or duplicated request', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const processes = await Promise.all([1, 2].map(() => startApi({ DRAIN_SECONDS: '10' })));
  const [leaving, staying] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const balancer = await startLoadBalancer(processes.map(({ baseUrl }) => baseUrl));
  t.teardown(() => {
    balancer.close();
    staying.stop();
  });
  await until(async () => balancer.ready().length === 2);
  const api = client(workspace.api.token, balancer.baseUrl);

  const created: string[] = [];
  const failures: string[] = [];
  const stopping = new AbortController();
  const workerStops = new AbortController();
  const book = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const wanted = bookingBody(room.id);
      let response = await api.post('/v1/bookings', wanted);
      // On a busy machine the next worker may start later than a request waits. The error advises to repeat
      // it, and the repetition of one that has booked returns 200.
      let done = 201;
      while (workerStops.signal.aborted && response.status === 503) {
        response = await api.post('/v1/bookings', wanted);
        done = response.status === 200 ? 200 : 201;
      }
      const { status, body } = response;
      if (status === done) created.push(body.id);
      else failures.push(`create: ${status} ${JSON.stringify(body)}`);
      await sleep(BOOKING_PAUSE_MS);
    }
  };
  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { status, body } = await api.get(`/v1/rooms/${room.id}`);
      if (status !== 200) failures.push(`read: ${status} ${JSON.stringify(body)}`);
      await sleep(READ_PAUSE_MS);
    }
  };
  const load = Promise.all([...Array.from({ length: CLIENTS }, book), read()]);
  load.catch(() => undefined);
  const someMore = async (): Promise<unknown> => {
    const before = created.length;
    return until(async () => created.length >= before + CLIENTS * 2);
  };
  await someMore();
  const idle = await fetch(`${leaving.baseUrl}/health`);
  t.is(idle.headers.get('keep-alive'), 'timeout=75');

  const left = once(leaving.child, 'exit');
  leaving.child.kill('SIGTERM');
  const health = await until(async () => {
    const response = await fetch(`${leaving.baseUrl}/health`);
    return response.status !== 200 && response;
  });
  t.is(health.status, 503);
  t.is(health.headers.get('connection'), 'close');
  const late = await fetch(`${leaving.baseUrl}/health/live`);
  t.is(late.status, 200, 'it responds while load balancers take it out');
  t.deepEqual(await left, [0, null]);
  t.deepEqual(balancer.ready(), [staying.baseUrl]);

  workerStops.abort();
  const before = readDevJson().pids.worker;
  for (const pid of before) process.kill(pid, 'SIGTERM');
  await until(async () => readDevJson().pids.worker.every((pid) => !before.includes(pid)));
  await someMore();
  stopping.abort();
  await load;

  t.deepEqual(failures, []);
  const rows = await db.query(`SELECT id FROM bookings WHERE workspace_id = $1`, [workspace.id]);
  t.deepEqual(rows.map(({ id }: { id: string }) => id).toSorted(), created.toSorted());
  const { sessions } = await processorLedger(workspace);
  t.is(sessions.length, created.length, 'one checkout per booking');
  await sweep(t, workspace);
});

test('an API process that is stopped as soon as it is ready drains, too', async (t) => {
  const { child } = await startApi({ DRAIN_SECONDS: '0' });
  const left = once(child, 'exit');
  child.kill('SIGTERM');
  t.deepEqual(await left, [0, null]);
});
