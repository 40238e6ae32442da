import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { createConsentActivities } from './accounting-consent.js';
import { createSyncActivities } from './accounting-sync.js';
import type { InviteLinks } from '../db/invite-links.js';
import { createBookingActivities } from './bookings.js';
import { createAccountingActivities } from './accounting.js';
import { createChangeActivities } from './changes.js';
import { createCheckoutActivities } from './checkouts.js';
import type { Encryption } from '../db/encryption.js';
import type { Accounting, AccountingConsent } from './gateways/accounting.js';
import type { Mailer } from './gateways/mail.js';
import type { Processor } from './gateways/processor.js';
import { createInviteActivities, type InvitesReport } from './mail/invites.js';
import { createMailActivities } from './mail/mails.js';
import { createMemberCycleActivities } from './member-cycle.js';
import { createOnboardingActivities } from './onboarding.js';
import { createReconciliationActivities } from './reconciliation.js';
import { createRefundActivities } from './refunds.js';
import { createSelfHealActivities } from './self-heal.js';
import { createSubscriptionActivities } from './subscriptions.js';
import { createTierChangeActivities } from './tier-changes.js';
import { createWebhookActivities, type WebhookDependencies } from './webhooks.js';
import { createSignInActivities, type SignInDependencies } from './mail/sign-in.js';

export type { AccountingStepOutcome, PlannedStep } from './accounting.js';
export type { BookingState } from './bookings.js';
export type { ChangeStep } from './changes.js';
export type { CheckoutToCheck } from './self-heal.js';
export type { InvitesReport };
export type { TryOutcome, TurnReport } from './webhooks.js';

export interface ActivityDependencies extends WebhookDependencies, SignInDependencies {
  db: DataSource;
  processor: Processor;
  accounting: Accounting;
  consent: AccountingConsent;
  encryption: Encryption;
  mailer: Mailer;
  inviteLinks: InviteLinks;
  client: Client;
  taskQueue: string;
  selfHealAfterSeconds: number;
}

/** All activities, over their dependencies: one transaction or one outside call each. */
export function createActivities(deps: ActivityDependencies) {
  return {
    ...createBookingActivities(deps),
    ...createAccountingActivities(deps),
    ...createChangeActivities(deps),
    ...createCheckoutActivities(deps),
    ...createConsentActivities(deps),
    ...createMailActivities(deps),
    ...createMemberCycleActivities(deps),
    ...createTierChangeActivities(deps),
    ...createInviteActivities(deps),
    ...createOnboardingActivities(deps),
    ...createReconciliationActivities(deps),
    ...createRefundActivities(deps),
    ...createSelfHealActivities(deps),
    ...createWebhookActivities(deps),
    ...createSubscriptionActivities(deps),
    ...createSyncActivities(deps),
    ...createSignInActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
