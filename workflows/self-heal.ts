import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, CheckoutToCheck } from '../activities/index.js';
import { BATCH, OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { SelfHealInput, SelfHealSummary } from './contract.js';
import { settlePayment } from './settle-payment.js';

const { listCheckoutsToCheck, listOverdueBookings, listUnfinishedRefunds, recordCheckout, releaseAbandoned } =
  proxyActivities<Activities>(TRANSACTION);
const { closeCheckout, lookUpCheckout, notifyOwnerRun, reviveOwnerRun, reviveRefund } =
  proxyActivities<Activities>(OUTSIDE_CALL);

const { rereadDisputes } = proxyActivities<Activities>(BATCH);

const CONCURRENCY = 5;
const EMPTY_SUMMARY: SelfHealSummary = {
  examined: 0,
  confirmed: 0,
  refunded: 0,
  closed: 0,
  revived: 0,
  released: 0,
  failed: 0,
};

/**
 * The hourly job that finds what the other confirmation layers missed (docs/architecture.md#payment-confirmation). It
 * looks up every checkout that is neither paid nor closed, including those of expired bookings, until its state at the
 * processor is final, and reads open disputes again. It restarts missing runs of bookings and refunds, and releases the slots of abandoned creates. One
 * failure does not stop the rest; the next run retries it.
 */
export async function selfHeal({ workspaceId, resume }: SelfHealInput = {}): Promise<SelfHealSummary> {
  const summary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  const attention = new Attention();
  let after = resume?.after ?? '';

  if (!resume) {
    attention.showStatus('Releasing abandoned slots and restarting runs that were lost.');
    summary.released = await releaseAbandoned({ workspaceId });
    for (const bookingId of await listOverdueBookings({ workspaceId }))
      summary.revived += (await reviveOwnerRun(bookingId)) ? 1 : 0;
    for (const refundId of await listUnfinishedRefunds({ workspaceId }))
      summary.revived += (await reviveRefund(refundId)) ? 1 : 0;
    await rereadDisputes({ workspaceId });
  }
  for (;;) {
    const page = await listCheckoutsToCheck({ workspaceId, after });
    attention.showStatus(`Looking up ${page.length} checkouts at the processor; ${summary.examined} done.`);
    for (let first = 0; first < page.length; first += CONCURRENCY)
      await Promise.all(page.slice(first, first + CONCURRENCY).map((checkout) => check(checkout)));
    if (page.length === 0) return summary;
    after = page.at(-1)!.checkoutId;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof selfHeal>({ workspaceId, resume: { after, summary } });
  }

  async function check(checkout: CheckoutToCheck): Promise<void> {
    const { ownerId } = checkout;
    summary.examined++;
    try {
      const current = checkout.abandoned ? await closeCheckout(ownerId) : await lookUpCheckout(ownerId);
      if (current.kind === 'paid') {
        await settle(ownerId, current.paymentIntentId);
      } else if (checkout.pending) {
        summary.revived += (await reviveOwnerRun(ownerId)) ? 1 : 0;
      } else if (current.kind !== 'open') {
        await recordCheckout({ ownerId, state: current.kind });
        if (current.kind === 'closed') summary.closed++;
      }
    } catch {
      summary.failed++;
    }
  }

  async function settle(ownerId: string, paymentIntentId: string): Promise<void> {
    const payment = { paymentIntentId, source: 'scheduler_self_heal' as const };
    const outcome = await settlePayment(attention, ownerId, payment);
    if (outcome.kind === 'refused') summary.refunded++;
    if (outcome.kind === 'confirmed' && !outcome.already) {
      summary.confirmed++;
      await notifyOwnerRun({ ownerId, payment });
    }
  }
}
