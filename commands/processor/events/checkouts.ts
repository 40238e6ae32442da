import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import type Stripe from 'stripe';
import { isId } from '../../../db/ids.js';
import {
  findCheckoutRun,
  findPaidCheckout,
  type NamedPayment,
} from '../../../db/queries/payments/checkout.js';
import { findSettlement } from '../../../db/queries/payments/settlement.js';
import { findWorkspaceOfMoney } from '../../../db/queries/workspaces/workspace.js';
import type { Checkout } from '../../../db/entities/payments.js';
import { readInvoiceAttempt, readOwnerId } from '../../../domain/payments/money-facts.js';
import type { ConfirmationSource } from '../../../domain/states.js';
import { checkoutClosed } from '../../../contract/payments/checkouts.js';
import { WORKFLOWS, workflowIds } from '../../../contract/names.js';
import {
  paymentConfirmed,
  type PaymentNotification,
  type VerifyPaymentInput,
} from '../../../contract/payments/payments.js';
import { starts } from '../../../contract/starts.js';
import type { EventDependencies, Via } from './event.js';
import { findLost } from './lost.js';

const SOURCE: Record<Via, ConfirmationSource> = {
  platform: 'platform_webhook',
  connect: 'connect_webhook',
  pull: 'scheduler_self_heal',
};

/** How long settling a payment that was read from the processor may take. After that it is read again. */
const SETTLED_WITHIN_MS = 10_000;

/** The metadata of a session or charge. */
type Purpose = Stripe.Metadata | null | undefined;

/** Returns what a payment is for. Stripe copies our metadata from the intent to its charges. */
function namedBy(purpose: Purpose): NamedPayment {
  const metadata = purpose ?? {};
  const { change_id = null } = metadata;
  return { owner_id: readOwnerId(metadata), change_id, attempt: readInvoiceAttempt(metadata) };
}

/**
 * True if the checkout belongs to the account. A payment of one account cannot be for the checkout of
 * another.
 */
const isOn = (account: string | undefined, checkout: Checkout): boolean =>
  !account || account === checkout.account_id;

/** Returns the checkout of an event, if it is known and belongs to the event's account. */
export async function knownCheckout(
  deps: EventDependencies,
  event: Pick<Stripe.Event, 'account'>,
  purpose: Purpose,
): Promise<Checkout | null> {
  const checkout = await findPaidCheckout(deps.db.manager, namedBy(purpose));
  return checkout && isOn(event.account, checkout) ? checkout : null;
}

/**
 * Reports a payment to the run of its booking or invoice checkout. A payment of ours without a checkout,
 * because its row is lost, is verified without one. Payments that are not ours are ignored.
 */
export async function report(
  deps: EventDependencies,
  event: Pick<Stripe.Event, 'account'> & { created?: number },
  via: Via,
  purpose: Purpose,
  paymentIntentId: string | null,
): Promise<string> {
  if (!paymentIntentId) return 'ignored: no payment';
  const { manager } = deps.db;
  const checkout = await findPaidCheckout(manager, namedBy(purpose));
  const accountId = checkout ? undefined : await accountOfLost(deps, event, purpose);
  if (checkout ? !isOn(event.account, checkout) : !accountId) return 'ignored: unknown checkout';
  // Another report came first, so its run does not need to be woken.
  if ((!checkout || checkout.state === 'paid') && (await findSettlement(manager, paymentIntentId)))
    return 'already settled';
  const ownerId = checkout ? await findCheckoutRun(manager, checkout) : undefined;
  const notification = { paymentIntentId, source: SOURCE[via] };
  // More than this payment may be lost.
  if (accountId && event.created) await findLost(deps, accountId, new Date(event.created * 1000));
  // A payment that was read counts once it is settled. The run is not asked: it already has the payment if
  // only the payment's row was lost.
  if (via === 'pull')
    await deps.temporal.withDeadline(Date.now() + SETTLED_WITHIN_MS, async () =>
      (await verifyPayment(deps, { ...notification, ownerId, accountId })).result(),
    );
  else if (ownerId) await reportPayment(deps, ownerId, notification);
  else await verifyPayment(deps, { ...notification, accountId });
  return ownerId ? `reported to ${ownerId}` : `settling ${paymentIntentId}, whose checkout is lost`;
}

/**
 * Reports a payment to its owner's run, which verifies it. If there is no run, `verifyPayment` runs instead.
 */
async function reportPayment(
  deps: EventDependencies,
  ownerId: string,
  notification: PaymentNotification,
): Promise<void> {
  try {
    const run = deps.temporal.workflow.getHandle(workflowIds.booking(ownerId));
    await run.signal(paymentConfirmed, notification);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await verifyPayment(deps, { ...notification, ownerId });
  }
}

/**
 * Returns the account of a payment whose metadata has an owner of ours; undefined if it is not the account of
 * a workspace.
 */
async function accountOfLost(
  { db }: EventDependencies,
  { account }: Pick<Stripe.Event, 'account'>,
  purpose: Purpose,
): Promise<string | undefined> {
  const { owner_id, attempt } = namedBy(purpose);
  const isOurs =
    (owner_id && (isId('bk', owner_id) || isId('chk', owner_id))) ||
    (attempt && isId('inv', attempt.invoice_id));
  return isOurs && account && (await findWorkspaceOfMoney(db.manager, account)) ? account : undefined;
}

/**
 * Has a payment settled by its rows, or a late one refunded (docs/rules/bookings.md#late-payments). Its run
 * is informed.
 */
function verifyPayment(
  { temporal, taskQueue }: EventDependencies,
  input: VerifyPaymentInput,
): Promise<WorkflowHandle> {
  return temporal.workflow.start(WORKFLOWS.verifyPayment, starts(taskQueue).verifyPayment(input));
}

/** Signals the run of a checkout that the processor has closed it. */
export async function closeCheckout(
  deps: EventDependencies,
  event: Stripe.Event,
  purpose: Purpose,
): Promise<string> {
  const checkout = await knownCheckout(deps, event, purpose);
  if (!checkout) return 'ignored: unknown checkout';
  if (checkout.change_id) return 'ignored: the change lapses at its time';
  const ownerId = checkout.owner_id;
  return signalIfRunning(() => deps.temporal.workflow.getHandle(ownerId).signal(checkoutClosed));
}

async function signalIfRunning(signal: () => Promise<void>): Promise<string> {
  try {
    await signal();
    return 'signalled';
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return 'ignored: its run has completed';
  }
}
