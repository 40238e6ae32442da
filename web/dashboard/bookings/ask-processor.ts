import { WorkflowNotFoundError } from '@temporalio/client';
import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import type { Principal } from '../../../domain/policies.js';
import { findCheckout } from '../../../db/queries/payments/checkout.js';
import { listPayments } from '../../../db/queries/payments/payment.js';
import { findPendingChange } from '../../../db/queries/bookings/booking-change.js';
import { workflowIds } from '../../../contract/names.js';
import type { VerifyPaymentOutcome } from '../../../contract/payments/payments.js';
import { refundUpdated } from '../../../contract/payments/refunds.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { requestVerification } from '../../../api/resources/payments/verify.js';
import { action, form } from '../forms/form.js';

const ASK_WITHIN_MS = 8_000;

export function describeVerification(outcome: VerifyPaymentOutcome): string {
  switch (outcome.kind) {
    case 'confirmed':
      return outcome.already
        ? 'Stripe confirms the payment. It was already recorded.'
        : 'Stripe confirms the payment. It has been recorded.';
    case 'refused':
      return 'A payment arrived after the booking had ended. It is being refunded in full.';
    case 'unpaid':
      return 'Stripe reports no payment.';
    case 'unknown':
      return 'Stripe has no such payment for this workspace.';
  }
}

/** Checks the checkout and pending refunds at the processor. Returns the result in words. */
async function askProcessor(
  { params }: { params: { id?: string } },
  caller: Principal,
  deps: ApiDependencies,
) {
  const { manager } = deps.db;
  const { workspace_id, id: booking_id } = await findWorkspaceBooking(manager, caller, params.id!);
  const pending = await findPendingChange(manager, booking_id);
  const checkout = await findCheckout(manager, pending?.checkout_id ?? booking_id);
  const refunds = await listPayments(manager, {
    workspace_id,
    booking_id,
    kind: 'refund',
    status: 'pending',
    limit: 50,
  });
  await Promise.all(refunds.map(({ id }) => lookAgain(deps, id)));
  const said = checkout?.session_id
    ? await requestVerification(
        deps,
        { sessionId: checkout.session_id, source: 'scheduler_self_heal' },
        ASK_WITHIN_MS,
      )
        .then(describeVerification)
        .catch((error) => {
          deps.log.warn({ err: error, booking: booking_id }, 'dashboard could not check with the processor');
          return 'Stripe did not respond in time. This is retried automatically.';
        })
    : 'This booking has no payment page.';
  return refunds.length > 0
    ? `${said} Pending refunds are being checked. Reload the page in a moment.`
    : said;
}

async function lookAgain({ temporal }: ApiDependencies, refundId: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(workflowIds.refund(refundId)).signal(refundUpdated);
  } catch (error) {
    // The hourly job restarts a missing run.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

export const askForm = form(
  action({ capability: 'all_bookings', run: askProcessor }),
  {},
  { path: '/ask', button: 'Check payment now', notice: (said) => said },
);
