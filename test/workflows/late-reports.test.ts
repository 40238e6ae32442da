import { activityInfo } from '@temporalio/activity';
import test from 'ava';
import type { SignalDefinition } from '@temporalio/common';
import { cardSetupReported } from '../../contract/payments/cards.js';
import { collectionChanged } from '../../contract/invoices.js';
import { disputeReported } from '../../contract/payments/disputes.js';
import { invoiceChanged } from '../../contract/accounting.js';
import { tiersChanged } from '../../contract/members.js';
import { WORKFLOWS } from '../../contract/names.js';
import { accountReported } from '../../contract/processor.js';
import { refundUpdated } from '../../contract/payments/refunds.js';
import { temporal } from '../support/temporal.js';
import { withWorker, type Stubs } from './stub-worker.js';

/** A fact that changes, with a signal to the run, while the run's last step is being executed. */
interface Fact {
  /** Its current value. */
  value: 'before' | 'after';
  /** What the run has read or stored most recently. */
  known?: string;
  /** Changes it and signals the run, once. */
  change: () => Promise<void>;
}

interface Case {
  workflow: string;
  input: object;
  signal: SignalDefinition;
  /** Whether the signal first has to wake the run from a wait of minutes. */
  wakes?: true;
  activities: (fact: Fact) => Stubs;
}

/** A step that reads the fact, which changes before the result is back. */
const reads =
  (fact: Fact, result: unknown = undefined) =>
  async () => {
    fact.known = fact.value;
    await fact.change();
    return result;
  };

const CASES: Case[] = [
  {
    workflow: WORKFLOWS.refund,
    input: { refundId: 'pay_1' },
    signal: refundUpdated,
    wakes: true,
    activities: (fact) => ({
      createRefund: async () => ({ refund_id: 're_1', status: 'pending' }),
      lookUpRefund: async () => ({
        refund_id: 're_1',
        status: fact.value === 'before' ? 'succeeded' : 'failed',
      }),
      recordRefund: async ({ status }: { status: string }) => {
        if (status === 'pending') return;
        fact.known = status === 'succeeded' ? 'before' : 'after';
        await fact.change();
      },
    }),
  },
  {
    workflow: WORKFLOWS.paymentDisputes,
    input: { paymentIntentId: 'pi_1' },
    signal: disputeReported,
    activities: (fact) => ({
      lookUpDisputes: async () => ({ kind: 'found', paymentId: 'pay_1', disputes: fact.value }),
      recordDisputes: async ({ disputes }: { disputes: string }) => {
        fact.known = disputes;
        await fact.change();
      },
    }),
  },
  {
    workflow: WORKFLOWS.processorAccount,
    input: { accountId: 'acct_1' },
    signal: accountReported,
    activities: (fact) => ({
      lookUpAccount: async () => ({ status: fact.value }),
      recordAccount: async ({ status }: { status: string }) => {
        fact.known = status;
        await fact.change();
      },
    }),
  },
  {
    workflow: WORKFLOWS.cardSetup,
    input: { setupId: 'seti_1' },
    signal: cardSetupReported,
    activities: (fact) => ({
      requestCardSetup: async () => new Date().toISOString(),
      finishCardSetup: reads(fact, 'closed'),
    }),
  },
  {
    workflow: WORKFLOWS.collectInvoice,
    input: { invoiceId: 'inv_1' },
    signal: collectionChanged,
    activities: (fact) => ({ advanceCollection: reads(fact, { do: 'end' }) }),
  },
  {
    workflow: WORKFLOWS.invoiceAccounting,
    input: { invoiceId: 'inv_1' },
    signal: invoiceChanged,
    activities: (fact) => ({
      planAccountingStep: async () => ({ do: 'pay' }),
      executeAccountingSteps: reads(fact, { outcome: 'done', next: null, waitMs: 0 }),
    }),
  },
  {
    workflow: WORKFLOWS.tierChanges,
    input: { workspaceId: 'ws_1' },
    signal: tiersChanged,
    activities: (fact) => ({ listTierChanges: reads(fact, []) }),
  },
];

/**
 * The first attempt in a workflow task fails: otherwise what it stored would be stored again with the task,
 * and read anew.
 */
const outsideTask = (activities: Stubs): Stubs =>
  Object.fromEntries(
    Object.entries(activities).map(([name, step]) => [
      name,
      async (input: never) => {
        if (activityInfo().isLocal && activityInfo().retryPolicy?.maximumAttempts === 1)
          throw new Error('in the workflow task');
        return step(input);
      },
    ]),
  );

for (const { workflow, input, signal, wakes, activities } of CASES)
  test(`what is reported while the last step of ${workflow} runs is read before the run ends`, async (t) => {
    const id = `test-late-report-${workflow}-${Date.now()}`;
    const run = temporal.workflow.getHandle(id);
    const fact: Fact = {
      value: 'before',
      async change() {
        if (fact.value === 'after') return;
        fact.value = 'after';
        await run.signal(signal);
      },
    };
    await withWorker(id, outsideTask(activities(fact)), async () => {
      await temporal.workflow.start(workflow, { taskQueue: id, workflowId: id, args: [input] });
      if (wakes) await run.signal(signal);
      await run.result();
    });
    t.is(fact.known, 'after');
  });

test('a refund that the processor has refused is not looked up, whatever is reported in the meantime', async (t) => {
  const id = `test-refused-refund-${Date.now()}`;
  const run = temporal.workflow.getHandle(id);
  const refused = { refund_id: null, status: 'failed' };
  let looks = 0;
  const activities = outsideTask({
    createRefund: async () => {
      await run.signal(refundUpdated);
      return refused;
    },
    recordRefund: async () => 'recorded',
    lookUpRefund: async () => {
      looks++;
      return refused;
    },
  });
  await withWorker(id, activities, async () => {
    const input = { refundId: 'pay_1' };
    await temporal.workflow.start(WORKFLOWS.refund, { taskQueue: id, workflowId: id, args: [input] });
    t.is(await run.result(), 'failed');
  });
  t.is(looks, 0);
});
