import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, CheckoutToCheck } from '../activities/index.js';
import { BATCH, JOB_PAGE, OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { closeAndSettle, recordEnd } from './close-checkout.js';
import type { PaymentNotification } from '../contract/payments/payments.js';
import type { SelfHealInput, SelfHealStage, SelfHealSummary } from '../contract/self-heal.js';
import { inParallel } from './in-parallel.js';
import { proxyTransactions } from './in-task.js';
import { addFailed, showUnfinished } from './unfinished.js';
import { verifyAndSettle } from './verify-and-settle.js';

const { listCheckoutsToCheck, listOverdueBookings, listUnfinishedRefunds, releaseAbandoned } =
  proxyTransactions(JOB_PAGE);
const { isAccountAnswering, lookUpCheckout, notifyOwnerRun, reviveOwnerRun, reviveRefund } =
  proxyActivities<Activities>(OUTSIDE_CALL);

const { lookAtCardSetups, rereadDisputes } = proxyActivities<Activities>(BATCH);
/** Without its result, each checkout is looked up. */
const { listUnchangedCheckouts } = proxyActivities<Activities>({
  ...BATCH,
  retry: { ...BATCH.retry, maximumAttempts: 3 },
});

const CONCURRENCY = 5;
/**
 * After this many failed checkouts in a row, the others of the workspace are left for the next run if its
 * account does not respond.
 */
const FAILURES_PER_WORKSPACE = 3;
const EMPTY_SUMMARY: SelfHealSummary = {
  examined: 0,
  confirmed: 0,
  refunded: 0,
  closed: 0,
  revived: 0,
  released: 0,
  failed: 0,
};
const STAGES: SelfHealStage[] = ['slots', 'bookings', 'refunds', 'disputes', 'checkouts', 'cards'];
/** The job tries a step once, with the retries of its activity. Failures are left for the next run. */
const ONCE = { retryUntilDone: <T>(_step: string, work: () => Promise<T>): Promise<T> => work() };

/**
 * The hourly job that finds what the other confirmation layers missed
 * (docs/internals/architecture.md#payment-confirmation). It releases the slots of abandoned create requests,
 * restarts missing runs of bookings and refunds, reads open disputes again, and has the runs of open card
 * setups check their pages. It also lists the open pages of the accounts, and looks up every other checkout
 * that is neither paid nor closed, including those of expired bookings, until its state at the processor is
 * final. One failure does not stop the rest: the job lists what it left, and the next run retries it.
 */
export async function selfHeal({ workspaceId, resume }: SelfHealInput = {}): Promise<SelfHealSummary> {
  const summary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  const attention = new Attention();
  const failureCounts = new Map<string, number>();
  const requests = new Map<string, Promise<boolean>>();

  for (const stage of STAGES.slice(STAGES.indexOf(resume?.stage ?? 'slots'))) {
    let after: string | null = stage === resume?.stage ? resume.after : '';
    while (after !== null) {
      after = await processPage(stage, after);
      if (after !== null && workflowInfo().continueAsNewSuggested)
        await attention.continueAsNew<typeof selfHeal>({ workspaceId, resume: { stage, after, summary } });
    }
  }
  showUnfinished(attention, 'self-heal', summary);
  return summary;

  /** Processes a page of a stage. Returns its last id; null at the end. */
  async function processPage(stage: SelfHealStage, after: string): Promise<string | null> {
    const page = { workspaceId, after };
    if (stage === 'slots') {
      attention.showStatus('Releasing abandoned slots.');
      const { released, failed, last } = await releaseAbandoned(page);
      summary.released += released;
      addFailed(summary, failed);
      return last;
    }
    if (stage === 'disputes' || stage === 'cards') {
      attention.showStatus(
        stage === 'disputes' ? 'Reading open disputes again.' : 'Checking open card setups.',
      );
      const { failed, last } = await (stage === 'disputes' ? rereadDisputes(page) : lookAtCardSetups(page));
      addFailed(summary, failed);
      return last;
    }
    if (stage === 'checkouts') {
      const checkouts = await listCheckoutsToCheck(page);
      attention.showStatus(
        `Looking up ${checkouts.length} checkouts at the processor; ${summary.examined} done.`,
      );
      const unchanged = await listUnchanged(checkouts);
      summary.examined += unchanged.size;
      const others = checkouts.filter(({ checkoutId }) => !unchanged.has(checkoutId));
      await inParallel(others, CONCURRENCY, checkUnlessFailing);
      return checkouts.at(-1)?.checkoutId ?? null;
    }
    attention.showStatus(`Restarting runs of ${stage} that were lost.`);
    const [list, reviveRun] =
      stage === 'bookings' ? [listOverdueBookings, reviveOwnerRun] : [listUnfinishedRefunds, reviveRefund];
    const ids = await list(page);
    await inParallel(ids, CONCURRENCY, async (id) => {
      await succeeds(id, () => revive(() => reviveRun(id)));
    });
    return ids.at(-1) ?? null;
  }

  /** Returns the checkouts of a page that do not need a separate lookup. Empty if that is not known. */
  async function listUnchanged(checkouts: CheckoutToCheck[]): Promise<Set<string>> {
    if (checkouts.length === 0) return new Set();
    return new Set(await listUnchangedCheckouts(checkouts).catch(() => []));
  }

  /** Runs `work`. Returns false if it fails, after adding `id` to the failures of the summary. */
  async function succeeds(id: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch {
      addFailed(summary, [id]);
      return false;
    }
  }

  async function revive(reviveRun: () => Promise<boolean>): Promise<void> {
    const revived = await reviveRun();
    if (revived) summary.revived++;
  }

  async function checkUnlessFailing(checkout: CheckoutToCheck): Promise<void> {
    const { ownerId, workspaceId: owner } = checkout;
    const failures = failureCounts.get(owner) ?? 0;
    if (failures >= FAILURES_PER_WORKSPACE && !(await isAnswering(checkout))) {
      addFailed(summary, [ownerId]);
      return;
    }
    summary.examined++;
    const checked = await succeeds(ownerId, () => check(checkout));
    failureCounts.set(owner, checked ? 0 : (failureCounts.get(owner) ?? 0) + 1);
  }

  /**
   * Returns whether the account responds, in which case only single checkouts have failed and the others need
   * not be left. Queries once for all that wait.
   */
  async function isAnswering({ checkoutId, workspaceId: owner }: CheckoutToCheck): Promise<boolean> {
    const asked = requests.get(owner) ?? isAccountAnswering(checkoutId).catch(() => false);
    requests.set(owner, asked);
    if (!(await asked)) return false;
    requests.delete(owner);
    failureCounts.set(owner, 0);
    return true;
  }

  async function check({ ownerId, runId, abandoned, pending }: CheckoutToCheck): Promise<void> {
    await closeAndSettle(ownerId, (close) => (abandoned ? close() : lookUpCheckout(ownerId)), {
      paid: (payment) => settle(runId, payment),
      unpaid: async (state) => {
        if (pending) return revive(() => reviveOwnerRun(runId));
        await recordEnd(ONCE, ownerId, state);
        if (state === 'closed') summary.closed++;
      },
    });
  }

  async function settle(ownerId: string, payment: PaymentNotification): Promise<void> {
    const { outcome } = await verifyAndSettle(ONCE, ownerId, payment);
    if (outcome.kind === 'refused') summary.refunded++;
    // The session is paid and its payment is not, or not as expected: a person must look at it.
    if (outcome.kind === 'unpaid') addFailed(summary, [ownerId]);
    if (outcome.kind === 'confirmed' && !outcome.already) {
      summary.confirmed++;
      await notifyOwnerRun({ ownerId, payment });
    }
  }
}
