import { createAccountReadActivities } from './account-reads.js';
import { createConsentActivities } from './accounting/consent.js';
import { createAccountingActivities } from './accounting/steps.js';
import { createSyncActivities } from './accounting/sync.js';
import { createBeatActivities } from './beat.js';
import { createBookingActivities } from './bookings.js';
import { createCardSetupActivities } from './card-setups.js';
import { createChangeActivities } from './changes.js';
import { createCheckoutActivities } from './checkouts.js';
import { createCollectionActivities } from './collections.js';
import { createDisputeActivities } from './disputes.js';
import { createMailActivities } from './mail/delivery.js';
import { createMemberCycleActivities } from './member-cycle.js';
import { createOnboardingActivities } from './onboarding.js';
import { createPendingChangeActivities } from './pending-changes.js';
import { createReconciliationActivities } from './reconciliation.js';
import { createReconciliationSettlingActivities } from './reconciliation-settling.js';
import { createRefundActivities } from './refunds.js';
import { createRetentionActivities } from './retention.js';
import { createSelfHealActivities } from './self-heal.js';
import { createSettlingActivities } from './settling.js';
import { createSsoCertificateActivities } from './sso-certificates.js';
import { createSubscriptionActivities } from './subscriptions.js';
import { createTierChangeActivities } from './tier-changes.js';
import { createWebhookActivities } from './webhooks/deliveries.js';

export type { AccountReadResult } from './account-reads.js';
export type { AccountingProgress, AccountingStepOutcome, PlannedStep } from './accounting/steps.js';
export type { BookingState, PendingChangeState } from './bookings.js';
export type { ChangeStep } from './changes.js';
export type { CheckoutStatus } from './gateways/processor.js';
export type { MailReport } from './mail/delivery.js';
export type { ExpiredPage } from './retention.js';
export type { CheckoutToCheck } from './self-heal.js';
export type { SettledReport } from './settling.js';
export type { SubscriptionDay, SubscriptionPage } from './subscriptions.js';
export type { DeliveryOutcome, DeliveryReport } from './webhooks/deliveries.js';

/** The dependencies of all activities. */
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

/** All activities (docs/temporal.md#activities). */
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
