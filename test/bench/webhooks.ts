import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { signatureHeaders, type SigningSecrets } from '../../activities/webhooks/signature.js';
import { newId } from '../../db/ids.js';
import { insertEvent } from '../../commands/events/events.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { workflowIds } from '../../contract/names.js';
import { drive, median } from './measure.js';
import type { Scene } from './scene.js';

const EVENTS = 10_000;
const EVENTS_OF_ONE_OBJECT = 4;
/** Concurrent attempts, as many as the service makes. */
const IN_FLIGHT = 16;

export interface WebhookResults {
  events: number;
  /** Events a second, from the commit that stored all of them until the last is received; median over the rounds. */
  delivered_per_second: number;
  /** The same bodies, signed and sent by a plain loop. */
  bare_per_second: number;
  ratio: number;
  /** Temporal actions (starts, signals, activities, timers) for each event of many, and for a single event. */
  actions_per_event: number;
  actions_alone: number;
}

/** Delivers stored events through the service, against a plain loop of signed POSTs to the same receiver. */
export async function measureWebhooks(scene: Scene, dev: DevJson, rounds: number): Promise<WebhookResults> {
  const receiver = await startReceiver();
  try {
    const { workspaceId, secrets } = await openEndpoint(dev, receiver.url);
    const timed = async (work: () => Promise<unknown>, events = EVENTS): Promise<number> => {
      const { done } = await receiver.expect(events);
      const began = performance.now();
      await work();
      await done;
      return (events * 1000) / (performance.now() - began);
    };
    await timed(await storeEvents(scene, workspaceId, 1), 1);
    const actionsAlone = await countActions(scene, workspaceId, 0);

    // Warm-up of both.
    await timed(() => sendBare(receiver.url, secrets));
    await timed(await storeEvents(scene, workspaceId, EVENTS));
    const actionsBefore = await countActions(scene, workspaceId, actionsAlone);

    const delivered: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round++) {
      bare.push(await timed(() => sendBare(receiver.url, secrets)));
      delivered.push(await timed(await storeEvents(scene, workspaceId, EVENTS)));
    }
    const actions = (await countActions(scene, workspaceId, actionsBefore)) - actionsBefore;
    return {
      events: EVENTS,
      delivered_per_second: median(delivered),
      bare_per_second: median(bare),
      ratio: median(delivered.map((rate, round) => rate / bare[round]!)),
      actions_per_event: actions / (rounds * EVENTS),
      actions_alone: actionsAlone,
    };
  } finally {
    receiver.stop();
  }
}

export async function startReceiver() {
  const child = fork(fileURLToPath(new URL('./receiver.js', import.meta.url)), {
    execArgv: [],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    /** Resets the count of distinct events. `done` resolves when the last has arrived. */
    async expect(count: number): Promise<{ done: Promise<unknown> }> {
      child.send({ expect: count });
      await once(child, 'message');
      return { done: once(child, 'message') };
    },
    stop: () => child.disconnect(),
  };
}

async function openEndpoint(
  dev: DevJson,
  url: string,
): Promise<{ workspaceId: string; secrets: SigningSecrets }> {
  const call = async (method: string, path: string, token: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const on = path.startsWith('/v1/') ? dev.baseUrl : dev.internalUrl;
    const response = await fetch(on + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} returned ${response.status} ${await response.text()}`);
    return response.json();
  };
  const workspace = await call('POST', '/internal/actions', dev.internalToken, {
    action: 'create_workspace',
    name: 'Bench house',
    owner_email: `${newId('mail')}@example.com`,
  });
  const { secret } = await call('PUT', '/v1/webhook-endpoint', workspace.token, { url });
  return { workspaceId: workspace.workspace_id, secrets: { current: secret, previous: null } };
}

const objectOf = (n: number) => ({
  id: newId('bk'),
  status: 'confirmed',
  notes: `Event ${n} `.padEnd(600, '.'),
});

/** Stores events in one transaction, several for each object. Returns a function that commits it. */
async function storeEvents({ db }: Scene, workspace_id: string, count: number): Promise<() => Promise<void>> {
  const runner = db.createQueryRunner();
  await runner.startTransaction();
  let object = objectOf(0);
  for (let n = 0; n < count; n++) {
    if (n % EVENTS_OF_ONE_OBJECT === 0) object = objectOf(n);
    await insertEvent(runner.manager, {
      type: 'booking.updated',
      workspace_id,
      object,
      created_at: new Date(),
    });
  }
  return async () => {
    await runner.commitTransaction();
    await runner.release();
  };
}

async function sendBare(url: string, secrets: SigningSecrets): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let sent = 0;
  await drive({ inFlight: IN_FLIGHT, seconds: 600, atMost: EVENTS }, () => {
    const event = { id: newId('evt'), body: JSON.stringify({ data: { object: objectOf(sent++) } }) };
    const headers = { ...signatureHeaders(event, secrets, new Date()), 'content-length': event.body.length };
    return new Promise<void>((resolve, reject) => {
      const one = request(url, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', resolve);
      });
      one.on('error', reject).end(event.body);
    });
  });
  agent.destroy();
}

const ACTIONS = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
] as const;

/** The actions of a workspace's deliveries. Visibility is eventually consistent: polls until the count is stable. */
async function countActions({ temporal }: Scene, workspaceId: string, atLeast: number): Promise<number> {
  const workflowId = workflowIds.webhookDelivery(workspaceId);
  let seen = -1;
  for (let tries = 0; tries < 40; tries++) {
    let count = 0;
    for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
      count += (events ?? []).filter((event) => ACTIONS.some((action) => event[action])).length;
    }
    if (count === seen && count > atLeast) break;
    seen = count;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return seen;
}
