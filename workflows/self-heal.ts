import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, CheckoutToCheck } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { SelfHealInput, SelfHealSummary } from './contract.js';
import { settlePayment } from './settle-payment.js';

const { listCheckoutsToCheck, listOverdueBookings, listUnfinishedRefunds, recordCheckout, releaseAbandoned } =
  proxyActivities<Activities>(TRANSACTION);
const { closeCheckout, lookUpCheckout, reviveOwner, reviveRefund, wakeOwner } =
  proxyActivities<Activities>(OUTSIDE_CALL);

const AT_ONCE = 5;
const NOTHING: SelfHealSummary = {
  examined: 0,
  confirmed: 0,
  refunded: 0,
  closed: 0,
  revived: 0,
  released: 0,
  failed: 0,
};

/**
 * Layer 4 (spec.md, rule 5): the hourly job that finds what the other layers missed. It asks the processor about
 * every checkout that is neither paid nor closed, also those of expired bookings, until the processor calls
 * them final; revives bookings and refunds whose run is missing; frees slots that a dead create kept. One that
 * fails doesn't stop the rest, and is looked at again in the next run.
 */
export async function selfHeal({ workspaceId, resume }: SelfHealInput = {}): Promise<SelfHealSummary> {
  const summary = resume ? { ...resume.summary } : { ...NOTHING };
  const attention = new Attention();
  let after = resume?.after ?? '';

  if (!resume) {
    attention.waitFor('Freeing slots of dead creates, reviving overdue bookings.');
    summary.released = await releaseAbandoned({ workspaceId });
    for (const bookingId of await listOverdueBookings({ workspaceId })) {
      summary.revived += (await reviveOwner(bookingId)) ? 1 : 0;
    }
    for (const refundId of await listUnfinishedRefunds({ workspaceId })) {
      summary.revived += (await reviveRefund(refundId)) ? 1 : 0;
    }
  }
  for (;;) {
    const page = await listCheckoutsToCheck({ workspaceId, after });
    attention.waitFor(`Asking the processor about ${page.length} checkouts; ${summary.examined} done.`);
    for (let first = 0; first < page.length; first += AT_ONCE) {
      await Promise.all(page.slice(first, first + AT_ONCE).map((checkout) => look(checkout)));
    }
    if (page.length === 0) return summary;
    after = page.at(-1)!.checkoutId;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof selfHeal>({ workspaceId, resume: { after, summary } });
  }

  async function look(checkout: CheckoutToCheck): Promise<void> {
    const { ownerId } = checkout;
    summary.examined++;
    try {
      const now = checkout.abandoned ? await closeCheckout(ownerId) : await lookUpCheckout(ownerId);
      if (now.kind === 'paid') {
        const news = { paymentIntentId: now.paymentIntentId, source: 'scheduler_self_heal' as const };
        const outcome = await settlePayment(attention, ownerId, news);
        if (outcome.kind === 'refused') summary.refunded++;
        if (outcome.kind === 'confirmed' && !outcome.already) {
          summary.confirmed++;
          await wakeOwner({ ownerId, news });
        }
      } else if (checkout.pending) {
        summary.revived += (await reviveOwner(ownerId)) ? 1 : 0;
      } else if (now.kind !== 'open') {
        await recordCheckout({ ownerId, state: now.kind });
        if (now.kind === 'closed') summary.closed++;
      }
    } catch {
      summary.failed++;
    }
  }
}
