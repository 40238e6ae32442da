import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { PAYMENT, resolveUnpaid } from './close-checkout.js';
import { collectionChanged, type CollectInvoiceInput } from '../contract/invoices.js';
import { proxyTransactions } from './in-task.js';
import { verifyAndSettle } from './verify-and-settle.js';

const { chargeInvoice, closeOpenCheckout } = proxyActivities<Activities>(OUTSIDE_CALL);
const { advanceCollection, recordPendingCharge, recordRefusedCharge } = proxyTransactions();

const UNSETTLED_PAUSE = '1 minute';
/** How long to wait if the page that was closed, or the charge that has ended, is the next step again. */
const REPEAT_PAUSE = '1 minute';

/** What a run shows the operator when it ends because nothing is due now. */
const WAITS_FOR = {
  scheduled: 'Waiting for the due date or the next reminder',
  charging: 'Waiting for the bank to decide about a charge',
  retrying: 'The card was refused. It is charged again later',
  action_required:
    "The payer's bank wants to authenticate the payer, who has the link. Waiting for the next reminder",
  reminding: 'The card cannot be charged. Waiting for the next reminder',
  overdue: 'The invoice is overdue. Waiting for the payer',
  ended: 'Done',
} as const;

/**
 * Does what the collection of an invoice needs from the processor (docs/rules/billing.md#collection): charges
 * the card on file, and closes an open hosted page. Each step is decided from the database, under the
 * invoice's lock, so that the run can be started again at any point. It ends when no such step is due. The
 * relay takes all other steps, and starts a run when one is needed.
 */
export async function collectInvoice({ invoiceId }: CollectInvoiceInput): Promise<string> {
  const attention = new Attention();
  let changed = false;
  setHandler(collectionChanged, () => {
    changed = true;
  });

  let closed: string | undefined;
  let ended: string | undefined;
  for (let charges = 0; ;) {
    if (workflowInfo().continueAsNewSuggested) {
      await attention.continueAsNew<typeof collectInvoice>({ invoiceId });
    }
    changed = false;
    const action = await attention.retryUntilDone('deciding the next step', () =>
      advanceCollection(invoiceId),
    );
    if (action.do !== 'charge') resolveUnpaid(attention, PAYMENT);
    if (action.do === 'end') {
      attention.showStatus('Done: nothing is outstanding.');
      await condition(allHandlersFinished);
      if (!changed) return 'ended';
    } else if (action.do === 'close') {
      if (closed === action.checkoutId)
        await condition(() => changed, REPEAT_PAUSE, { summary: 'close the hosted page again' });
      closed = action.checkoutId;
      attention.showStatus('Closing the hosted page of the invoice.');
      await attention.retryUntilDone('closing the checkout', () => closeOpenCheckout(action.checkoutId));
    } else if (action.do === 'charge') {
      if (ended === action.checkoutId)
        await condition(() => changed, REPEAT_PAUSE, { summary: 'look at the charge again' });
      attention.showStatus(`Charging the card on file; ${charges++} charges before in this run.`);
      const waited = await charge(action.checkoutId);
      ended = waited ? undefined : action.checkoutId;
    } else {
      const { status, attempts } = action;
      const tried = attempts > 0 ? ` A card was tried ${attempts} times so far.` : '';
      attention.showStatus(`${WAITS_FOR[status]}.${tried}`);
      await condition(allHandlersFinished);
      if (!changed) return status;
    }
  }

  /** Charges the card once, and stores the result. Returns true if it waited after that. */
  async function charge(checkoutId: string): Promise<boolean> {
    const result = await attention.retryUntilDone('charging the card', () => chargeInvoice(checkoutId));
    if (result.kind === 'ended') return false;
    if (result.kind === 'refused') {
      const { code, paymentIntentId } = result;
      await attention.retryUntilDone('storing a refused charge', () =>
        recordRefusedCharge({ checkoutId, code, paymentIntentId }),
      );
      return false;
    }
    if (result.kind === 'pending') {
      const until = await attention.retryUntilDone('storing a pending charge', () =>
        recordPendingCharge(checkoutId),
      );
      attention.showStatus(`${WAITS_FOR.charging} until ${until}.`);
      await condition(() => changed, Math.max(1, Date.parse(until) - Date.now()), { summary: 'charging' });
      return true;
    }
    const { paymentIntentId } = result;
    const payment = { paymentIntentId, source: null };
    const { outcome } = await verifyAndSettle(attention, checkoutId, payment);
    if (outcome.kind !== 'unpaid') {
      attention.resolve(PAYMENT);
      return false;
    }
    attention.raise(PAYMENT, 'is not what the charge says: it succeeded, its payment is not as expected.');
    await condition(() => changed, UNSETTLED_PAUSE, { summary: 'look at the charge again' });
    return true;
  }
}
