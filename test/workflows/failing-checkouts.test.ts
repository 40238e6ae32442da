import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import type { CollectionAction } from '../../commands/invoices/collections.js';
import type { SelfHealSummary } from '../../contract/self-heal.js';
import { WORKFLOWS } from '../../contract/names.js';
import { paymentConfirmed } from '../../contract/payments/payments.js';
import { until } from '../support/until.js';
import { temporal } from '../support/temporal.js';
import { withWorker, type Stubs } from './stub-worker.js';

for (const charged of [{ kind: 'ended' }, { kind: 'paid', paymentIntentId: 'pi_1' }])
  test(`a charge that is ${charged.kind} and planned again is repeated only after a pause`, async (t) => {
    const taskQueue = `test-collect-${charged.kind}-${Date.now()}`;
    let charges = 0;
    const step: CollectionAction = { do: 'charge', checkoutId: 'chk_1' };
    const stubs: Stubs = {
      advanceCollection: async () => step,
      chargeInvoice: async () => {
        charges++;
        return charged;
      },
      settleReport: async () => ({
        outcome: { kind: 'confirmed', already: true, payment_id: 'pay_1' },
        paymentIntentId: 'pi_1',
        state: null,
      }),
    };
    await withWorker(taskQueue, stubs, async () => {
      const run = await temporal.workflow.start(WORKFLOWS.collectInvoice, {
        taskQueue,
        workflowId: taskQueue,
        args: [{ invoiceId: 'inv_1' }],
      });
      await until(async () => {
        const { events } = await run.fetchHistory();
        const timer = events!.find((each) => each.timerStartedEventAttributes)?.timerStartedEventAttributes;
        return Number(timer?.startToFireTimeout?.seconds) === 60;
      });
      await run.terminate();
    });
    t.is(charges, 1);
  });

test('the run of an invoice’s page that is paid without a payment continues as new', async (t) => {
  const taskQueue = `test-unpaid-${Date.now()}`;
  let outcome: object = { kind: 'unpaid' };
  const stubs: Stubs = {
    openInvoiceCheckout: async () => new Date(Date.now() - 1_000).toISOString(),
    closeCheckout: async () => ({ kind: 'paid', paymentIntentId: 'pi_1' }),
    settleReport: async () => ({ outcome, paymentIntentId: 'pi_1', state: null }),
  };
  await withWorker(taskQueue, stubs, async () => {
    const first = await temporal.workflow.start(WORKFLOWS.invoiceCheckout, {
      taskQueue,
      workflowId: taskQueue,
      args: [{ checkoutId: 'chk_1' }],
    });
    const page = temporal.workflow.getHandle(taskQueue);
    const report = (paymentIntentId: string) =>
      page.signal(paymentConfirmed, { paymentIntentId, source: 'scheduler_self_heal' });
    // More events than the stack suggests for a run.
    await Promise.all(Array.from({ length: 400 }, (_, n) => report(`pi_${n}`)));
    await until(async () => (await page.describe()).runId !== first.firstExecutionRunId);
    outcome = { kind: 'confirmed', already: true, payment_id: 'pay_1' };
    // It is refused if the next run, which begins with a look, has ended.
    await report('pi_1').catch(() => undefined);
    t.is(await page.result(), 'confirmed');
  });
});

const CHECKOUTS = Array.from({ length: 40 }, (_, n) => `chk_${String(n).padStart(4, '0')}`);

/** Self-heal of a workspace whose first checkouts always fail. */
async function heal(name: string, failing: number, isAccountAnswering: () => Promise<boolean>) {
  const taskQueue = `test-heal-${name}-${Date.now()}`;
  const none = async () => ({ failed: [], last: null });
  const stubs: Stubs = {
    releaseAbandoned: async () => ({ released: 0, failed: [], last: null }),
    listOverdueBookings: async () => [],
    listUnfinishedRefunds: async () => [],
    rereadDisputes: none,
    lookAtCardSetups: none,
    listCheckoutsToCheck: async ({ after }: { after: string }) =>
      after
        ? []
        : CHECKOUTS.map((id) => ({
            checkoutId: id,
            ownerId: id,
            runId: id,
            workspaceId: 'ws_1',
            pending: false,
            abandoned: false,
          })),
    listUnchangedCheckouts: async () => [],
    lookUpCheckout: async (id: string) => {
      if (CHECKOUTS.indexOf(id) < failing) throw ApplicationFailure.nonRetryable('poison');
      return { kind: 'closed' };
    },
    recordCheckout: async () => undefined,
    isAccountAnswering,
  };
  return withWorker(taskQueue, stubs, () =>
    temporal.workflow.execute<(input: object) => Promise<SelfHealSummary>>(WORKFLOWS.selfHeal, {
      taskQueue,
      workflowId: taskQueue,
      args: [{}],
    }),
  );
}

test('checkouts that always fail don’t delay others of their workspace while its account answers', async (t) => {
  const summary = await heal('poison', 8, async () => true);
  t.like(summary, { examined: 40, closed: 32, failed: 8 });
});

test('the checkouts of an account that does not answer are left for the next run', async (t) => {
  const summary = await heal('silent', 40, async () => {
    throw ApplicationFailure.nonRetryable('down');
  });
  t.is(summary.failed, 40);
  t.true(summary.examined <= 10, String(summary.examined));
});
