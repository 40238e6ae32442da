import { createAccountReadActivities } from './processor/account-reads.js';
import { createConsentActivities } from './accounting/consent.js';
import { createAccountingActivities } from './accounting/steps.js';
import { createSyncActivities } from './accounting/sync.js';
import { createBeatActivities } from './beat.js';
import { createBookingActivities } from './bookings/bookings.js';
import { createCardSetupActivities } from './payments/card-setups.js';
import { createChangeActivities } from './bookings/changes.js';
import { createCheckoutActivities } from './payments/checkouts.js';
import { createCollectionActivities } from './invoices/collections.js';
import { createDisputeActivities } from './payments/disputes.js';
import { createMailActivities } from './mail/delivery.js';
import { createMemberCycleActivities } from './subscriptions/member-cycle.js';
import { createOnboardingActivities } from './processor/onboarding.js';
import { createPayoutActivities } from './reports/payouts.js';
import { createPendingChangeActivities } from './bookings/pending-changes.js';
import { createReconciliationActivities } from './reconciliation/reconciliation.js';
import { createReconciliationSettlingActivities } from './reconciliation/settling.js';
import { createRefundActivities } from './payments/refunds.js';
import { createRetentionActivities } from './retention/retention.js';
import { createSelfHealActivities } from './payments/self-heal.js';
import { createSettlingActivities } from './payments/settling.js';
import { createSsoCertificateActivities } from './single-sign-on/certificates.js';
import { createSubscriptionActivities } from './subscriptions/subscriptions.js';
import { createTierChangeActivities } from './subscriptions/tier-changes.js';
import { createWebhookActivities } from './events/deliveries.js';

export type { AccountReadResult } from './processor/account-reads.js';
export type { AccountingProgress, AccountingStepOutcome, PlannedStep } from './accounting/steps.js';
export type { BookingRunState, PendingChangeState } from './bookings/bookings.js';
export type { ChangeStep } from './bookings/changes.js';
export type { CheckoutStatus } from './gateways/processor.js';
export type { MailReport } from './mail/delivery.js';
export type { ExpiredPage } from './retention/retention.js';
export type { CheckoutToCheck } from './payments/self-heal.js';
export type { SettledReport } from './payments/settling.js';
export type { SubscriptionDay, SubscriptionPage } from './subscriptions/subscriptions.js';
export type { DeliveryOutcome, DeliveryReport } from './events/deliveries.js';

export type ActivityDependencies = Parameters<typeof createAccountingActivities>[0] &
  Parameters<typeof createAccountReadActivities>[0] &
  Parameters<typeof createBeatActivities>[0] &
  Parameters<typeof createChangeActivities>[0] &
  Parameters<typeof createCheckoutActivities>[0] &
  Parameters<typeof createCollectionActivities>[0] &
  Parameters<typeof createConsentActivities>[0] &
  Parameters<typeof createMailActivities>[0] &
  Parameters<typeof createRetentionActivities>[0] &
  Parameters<typeof createSelfHealActivities>[0] &
  Parameters<typeof createWebhookActivities>[0];

/** All activities (docs/internals/temporal.md#activities). */
export function createActivities(deps: ActivityDependencies) {
  return {
    ...createAccountReadActivities(deps),
    ...createAccountingActivities(deps),
    ...createBeatActivities(deps),
    ...createBookingActivities(deps),
    ...createCardSetupActivities(deps),
    ...createChangeActivities(deps),
    ...createCheckoutActivities(deps),
    ...createCollectionActivities(deps),
    ...createConsentActivities(deps),
    ...createDisputeActivities(deps),
    ...createMailActivities(deps),
    ...createMemberCycleActivities(deps),
    ...createOnboardingActivities(deps),
    ...createPayoutActivities(deps),
    ...createPendingChangeActivities(deps),
    ...createReconciliationActivities(deps),
    ...createReconciliationSettlingActivities(deps),
    ...createRefundActivities(deps),
    ...createRetentionActivities(deps),
    ...createSelfHealActivities(deps),
    ...createSettlingActivities(deps),
    ...createSsoCertificateActivities(deps),
    ...createSubscriptionActivities(deps),
    ...createSyncActivities(deps),
    ...createTierChangeActivities(deps),
    ...createWebhookActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
