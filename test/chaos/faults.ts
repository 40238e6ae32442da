import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedProcess } from '../../dev/launcher/process-identity.js';
import { CONTROL, type ProxyFault } from '../support/fault-proxy.js';
import { accountingSimulator, mailbox, simulator } from '../support/simulators.js';
import type { Random } from './random.js';
import type { ChaosWorkspace } from './scene.js';

const home = dirname(process.env.HOLDFAST_DEV_JSON!);
/** The file with the shift of the workers' clocks. */
export const CLOCK_FILE = join(home, 'chaos-clock');

/** The running processes with this name, such as `worker` and `worker-2`. */
function listPids(name: string): number[] {
  const recorded = JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8')) as RecordedProcess[];
  return recorded
    .filter((each) => each.name === name || each.name.startsWith(`${name}-`))
    .map(({ pid }) => pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts a fault. Returns its duration in ms, and a function that ends it. */
type Fault = (
  random: Random,
  workspace: ChaosWorkspace,
) => Promise<{ ms: number; end?: () => Promise<void> | void }>;

const kill =
  (name: string, how: NodeJS.Signals = 'SIGKILL'): Fault =>
  async (random) => {
    const pids = listPids(name);
    if (pids.length > 0) signal(random.pick(pids), how);
    return { ms: 0 };
  };

/** Kills all running processes with this name. */
export const killAll = (name: string, how: NodeJS.Signals = 'SIGKILL'): void =>
  listPids(name).forEach((pid) => signal(pid, how));

/** Pauses a process for longer than the timeouts of its calls and tasks, then resumes it. */
const freeze =
  (name: string): Fault =>
  async (random) => {
    const pids = listPids(name);
    if (pids.length === 0) return { ms: 0 };
    const pid = random.pick(pids);
    signal(pid, 'SIGSTOP');
    return { ms: random.between(1_000, 14_000), end: () => signal(pid, 'SIGCONT') };
  };

/** A hold that begins on a fast clock ends later by as much, within the time that the judge waits. */
const LARGEST_SHIFT_SECONDS = 120;

const shiftClock: Fault = async (random) => {
  writeFileSync(CLOCK_FILE, String(random.between(-LARGEST_SHIFT_SECONDS, LARGEST_SHIFT_SECONDS) * 1_000));
  return { ms: random.between(1_000, 8_000), end: () => writeFileSync(CLOCK_FILE, '0') };
};

const processor =
  (faults: (random: Random) => Record<string, unknown>): Fault =>
  async (random, { workspace: { accountId: account }, standingFaults }) => {
    const set = (more: object) => simulator('POST', '/_sim/faults', { account, ...more, ...standingFaults });
    await set(faults(random));
    return { ms: random.between(500, 4_000), end: async () => void (await set({})) };
  };

/** Starts the processor faults that last for the whole run. */
export const beginStandingFaults = ({ workspace, standingFaults }: ChaosWorkspace): Promise<unknown> =>
  simulator('POST', '/_sim/faults', { account: workspace.accountId, ...standingFaults });

const PROCESSOR_CALLS = [
  { method: 'POST', path: '/v1/checkout/sessions*' },
  { method: 'GET', path: '/v1/checkout/sessions*' },
  { method: 'POST', path: '/v1/payment_intents*' },
  { method: 'POST', path: '/v1/refunds*' },
  { method: 'GET', path: '/v1/refunds*' },
  { method: 'POST', path: '/v1/subscriptions*' },
];

const failProcessor = (after_effect: boolean): Fault =>
  processor((random) => ({
    fail: [{ ...random.pick(PROCESSOR_CALLS), status: 500, times: random.between(1, 3), after_effect }],
  }));

const setProxy = (url: string | undefined, scope: string, faults: ProxyFault[]): Promise<unknown> =>
  fetch(url + CONTROL, { method: 'POST', body: JSON.stringify({ scope, faults }) });

/** Breaks the connection to the processor. */
const breakConnection =
  (fault: 'cut' | 'saved_500', after_effect: boolean): Fault =>
  async (random, { workspace: { accountId } }) => {
    const url = process.env.STRIPE_API_URL;
    const faults = [{ fault, after_effect, ...random.pick(PROCESSOR_CALLS), times: random.between(1, 3) }];
    await setProxy(url, accountId!, faults);
    return { ms: random.between(500, 3_000), end: async () => void (await setProxy(url, accountId!, [])) };
  };

/**
 * Sends all calls to the processor with the valid key of another platform, to which no account is connected.
 */
const exchangeKey: Fault = async (random) => {
  const url = process.env.STRIPE_API_URL;
  await setProxy(url, '*', [{ fault: 'other_platform', path: '*' }]);
  return { ms: random.between(1_000, 4_000), end: async () => void (await setProxy(url, '*', [])) };
};

/** In half an hour the clients make more invoices than Xero allows in a day. */
const NO_LIMITS = { minute_limit: 1_000_000, day_limit: 1_000_000 };

/** Ends the faults of an organisation in the accounting system. */
export const letAccountingThrough = ({ workspace: { tenant } }: ChaosWorkspace): Promise<unknown> =>
  accountingSimulator('POST', '/_sim/faults', { tenant, ...NO_LIMITS });

const accounting =
  (faults: (random: Random) => Record<string, unknown>): Fault =>
  async (random, workspace) => {
    const { tenant } = workspace.workspace;
    await accountingSimulator('POST', '/_sim/faults', { tenant, ...NO_LIMITS, ...faults(random) });
    return { ms: random.between(500, 4_000), end: async () => void (await letAccountingThrough(workspace)) };
  };

const ACCOUNTING_CALLS = ['/api.xro/2.0/Invoices*', '/api.xro/2.0/Payments*', '/api.xro/2.0/Contacts*'];

const failAccounting = (after_effect: boolean): Fault =>
  accounting((random) => ({
    fail: [
      {
        method: random.pick(['POST', 'PUT']),
        path: random.pick(ACCOUNTING_CALLS),
        status: random.pick([500, 503]),
        times: random.between(1, 3),
        after_effect,
      },
    ],
  }));

const refuseDeliveries: Fault = async (random, { receiver }) => {
  receiver.reply = (_request, response) => {
    if (random.chance(0.5)) return 500;
    response.destroy();
  };
  return { ms: random.between(500, 3_000), end: () => void (receiver.reply = () => 200) };
};

const failMail =
  (after_effect: boolean): Fault =>
  async (random) => {
    const set = (faults: object): Promise<unknown> =>
      // It may just be restarting, without faults.
      mailbox('POST', '/_sim/faults', faults).catch(() => undefined);
    await set({ code: 451, times: random.between(1, 3), after_effect });
    return { ms: random.between(500, 3_000), end: async () => void (await set({})) };
  };

/** What happens to all workspaces, one fault at a time. */
export const PROCESS_FAULTS: Record<string, Fault> = {
  'kill an API process': kill('api'),
  'kill a worker': kill('worker'),
  'kill a worker again': kill('worker'),
  'freeze an API process': freeze('api'),
  'freeze a worker': freeze('worker'),
  // An immediate shutdown: the database recovers from its log, as after a crash.
  'crash Postgres': kill('postgres', 'SIGQUIT'),
  'kill Temporal': kill('temporal'),
  'kill the mail server': kill('mailbox'),
  'defer mail': failMail(false),
  'defer mail after accepting it': failMail(true),
  "shift the workers' clocks": shiftClock,
  "exchange the platform's key": exchangeKey,
};

/** What happens between the service and other systems, one fault at a time for each workspace. */
export const NETWORK_FAULTS: Record<string, Fault> = {
  'drop webhooks': processor(() => ({ drop_webhooks: ['all'] })),
  'repeat webhooks': processor((random) => ({ duplicate_webhooks: random.between(1, 3) })),
  'delay webhooks': processor((random) => ({ webhook_delay_ms: random.between(200, 5_000) })),
  'shuffle webhooks': processor(() => ({ shuffle_webhooks: true })),
  'slow the processor down': processor((random) => ({ latency_ms: random.between(200, 2_000) })),
  'fail a call of the processor': failProcessor(false),
  'fail a call of the processor after its effect': failProcessor(true),
  'cut the connection to the processor': breakConnection('cut', false),
  'cut the connection after a call to the processor': breakConnection('cut', true),
  'save a 500 of the processor': breakConnection('saved_500', false),
  'save a 500 of the processor after its effect': breakConnection('saved_500', true),
  'fail a call of the accounting system': failAccounting(false),
  'fail a call of the accounting system after its effect': failAccounting(true),
  'limit the calls of the accounting system': accounting(() => ({ minute_limit: 3 })),
  'slow the accounting system down': accounting((random) => ({ latency_ms: random.between(200, 2_000) })),
  'refuse deliveries': refuseDeliveries,
};

/** Starts one fault after the other until stopped. Calls `onFault` with the name of each. */
export async function causeFaults(
  faults: Record<string, Fault>,
  workspace: () => ChaosWorkspace,
  random: Random,
  longestPauseMs: number,
  stopped: AbortSignal,
  onFault: (name: string) => void,
): Promise<void> {
  const names = Object.keys(faults);
  const wait = (ms: number) => sleep(ms, undefined, { signal: stopped }).catch(() => undefined);
  while (!stopped.aborted) {
    const name = random.pick(names);
    const { ms, end } = await faults[name]!(random, workspace());
    onFault(name);
    await wait(ms);
    await end?.();
    await wait(random.between(50, longestPauseMs));
  }
}
