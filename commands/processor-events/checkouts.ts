import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import type Stripe from 'stripe';
import { isId } from '../../db/ids.js';
import {
  findChangeCheckout,
  findCheckout,
  findCheckoutRun,
  findInvoiceAttempt,
} from '../../db/queries/billing/checkout.js';
import { findSettlement } from '../../db/queries/billing/settlement.js';
import type { Checkout } from '../../db/entities/payments.js';
import { attemptOf } from '../../domain/money-facts.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { checkoutClosed } from '../../contract/checkouts.js';
import { WORKFLOWS, workflowIds } from '../../contract/names.js';
import { paymentConfirmed, type PaymentNotification } from '../../contract/payments.js';
import { starts } from '../../contract/starts.js';
import type { EventDependencies, Via } from './event.js';

const SOURCE: Record<Via, ConfirmationSource> = {
  platform: 'platform_webhook',
  connect: 'connect_webhook',
  pull: 'scheduler_self_heal',
};

/** How long a payment that was read from the processor may take to be settled. Later it is read again. */
const SETTLED_WITHIN_MS = 10_000;

/** What a session or charge names as its purpose. */
type Purpose = Stripe.Metadata | null | undefined;

/** The checkout of the change, booking or invoice that a payment names. A booking without a price has no checkout. */
async function findNamed({ db }: EventDependencies, purpose: Purpose): Promise<Checkout | null> {
  const { change_id, booking_id, checkout_id } = purpose ?? {};
  const ofChange =
    change_id && isId('chg', change_id) ? await findChangeCheckout(db.manager, change_id) : null;
  const ownerId = booking_id ?? checkout_id;
  const own = ofChange ?? (ownerId ? await findCheckout(db.manager, ownerId) : null);
  const attempt = attemptOf(purpose ?? {});
  return own ?? (attempt && findInvoiceAttempt(db.manager, attempt));
}

/** The checkout that an event names, if it is known and belongs to the event's account. */
export async function knownCheckout(
  deps: EventDependencies,
  event: Pick<Stripe.Event, 'account'>,
  purpose: Purpose,
): Promise<Checkout | null> {
  const checkout = await findNamed(deps, purpose);
  if (!checkout || (event.account && event.account !== checkout.account_id)) return null;
  return checkout;
}

/** Reports a payment to the run of its booking or invoice checkout. */
export async function report(
  deps: EventDependencies,
  event: Pick<Stripe.Event, 'account'>,
  via: Via,
  purpose: Purpose,
  paymentIntentId: string | null,
): Promise<string> {
  const checkout = await knownCheckout(deps, event, purpose);
  if (!checkout || !paymentIntentId) return 'ignored: unknown checkout';
  // Another report was first: its run need not be woken.
  if (checkout.state === 'paid' && (await findSettlement(deps.db.manager, paymentIntentId)))
    return 'already settled';
  const ownerId = await findCheckoutRun(deps.db.manager, checkout);
  const notification = { paymentIntentId, source: SOURCE[via] };
  // What is read counts once it is settled. The run is not asked: if the payment's row was lost, it knows of the payment.
  if (via === 'pull')
    await deps.temporal.withDeadline(Date.now() + SETTLED_WITHIN_MS, async () =>
      (await verifyPayment(deps, ownerId, notification)).result(),
    );
  else await reportPayment(deps, ownerId, notification);
  return `reported to ${ownerId}`;
}

/** Reports a payment to its owner's run, which verifies it. If there is no run, `verifyPayment` runs instead. */
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
    await verifyPayment(deps, ownerId, notification);
  }
}

/** Has a payment settled by its rows, or a late one refunded (docs/rules/bookings.md#late-payments); its run is told. */
function verifyPayment(
  { temporal, taskQueue }: EventDependencies,
  ownerId: string,
  notification: PaymentNotification,
): Promise<WorkflowHandle> {
  const start = starts(taskQueue).verifyPayment({ ...notification, ownerId });
  return temporal.workflow.start(WORKFLOWS.verifyPayment, start);
}

/** Signals the run of a checkout that the processor has closed. */
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
