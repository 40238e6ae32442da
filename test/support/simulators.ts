import type { Message } from '../../dev/mailbox/messages.js';
import { send } from './api-client.js';
import type { ProcessorLedger } from './ledgers.js';
import { dev } from './stack.js';
import type { TestWorkspace } from './workspaces.js';

/** What the simulators' controls return about the affected object. */
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

export const mailTo = async (address: string): Promise<Message[]> =>
  (await send<Message[]>(`${dev.mailUrl}/_sim/messages?to=${encodeURIComponent(address)}`, 'GET')).body;

/** A workspace's account at the processor. */
interface Account {
  accountId: string | null;
}

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
  mode: 'pending' | 'fail_later' | 'no_balance' | 'held',
  work: () => Promise<T>,
): Promise<T> {
  await simulator('POST', '/_sim/refund_mode', { account, mode });
  try {
    return await work();
  } finally {
    await simulator('POST', '/_sim/refund_mode', { account, mode: 'succeed' });
  }
}

/** The requests about an account that the processor has received, by method and path. */
export async function requestsAbout({ accountId }: Pick<TestWorkspace, 'accountId'>): Promise<string[]> {
  const { requests } = await simulator<{
    requests: { account: string | null; method: string; path: string }[];
  }>('GET', '/_sim/ledger');
  return requests
    .filter(({ account, path }) => account === accountId || path.endsWith(accountId!))
    .map(({ method, path }) => `${method} ${path}`);
}
