/**
 * What callers and workflows agree on: names, ids, inputs, signals, updates, search attributes. No side effects.
 *
 * Only ids go into Temporal. Names, mail addresses and notes stay in Postgres (decisions.md, "Mail and erasure").
 */
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { ConfirmationSource } from '../domain/states.js';

/** Workflow types, as the Web UI lists them. */
export const WORKFLOWS = {
  booking: 'booking',
  invoiceCheckout: 'invoiceCheckout',
  verifyPayment: 'verifyPayment',
  refund: 'refund',
  adoptRefunds: 'adoptRefunds',
  processorOnboarding: 'processorOnboarding',
  selfHeal: 'selfHeal',
  webhookDelivery: 'webhookDelivery',
  redelivery: 'redelivery',
  ownerMail: 'ownerMail',
  invoiceMail: 'invoiceMail',
  reconciliation: 'reconciliation',
  nightlyReconciliation: 'nightlyReconciliation',
  subscriptionInvoices: 'subscriptionInvoices',
  invoiceAccounting: 'invoiceAccounting',
  accountingSync: 'accountingSync',
  accountingRead: 'accountingRead',
  accountingConsent: 'accountingConsent',
  signInMail: 'signInMail',
  memberInvites: 'memberInvites',
  memberCycle: 'memberCycle',
  tierChanges: 'tierChanges',
} as const;

/** A booking's workflow id is its own id, so that it can be pasted into the Web UI; likewise a refund's. */
export const workflowIds = {
  booking: (bookingId: string) => bookingId,
  invoiceCheckout: (checkoutId: string) => checkoutId,
  refund: (refundId: string) => refundId,
  adoptRefunds: (paymentIntentId: string) => `refunds-${paymentIntentId}`,
  verifyPayment: (paymentIntentOrSessionId: string) => `verify-${paymentIntentOrSessionId}`,
  processorOnboarding: (workspaceId: string) => `onboarding-${workspaceId}`,
  webhookDelivery: (workspaceId: string) => `webhooks-${workspaceId}`,
  redelivery: (eventId: string) => `redeliver-${eventId}`,
  ownerMail: (mailId: string) => mailId,
  invoiceMail: (mailId: string) => mailId,
  invoiceAccounting: (invoiceId: string) => `acc_${invoiceId}`,
  accountingConsent: (consentId: string) => consentId,
  reconciliation: (workspaceId: string, from: string, to: string) => `reconcile-${workspaceId}-${from}-${to}`,
  signInMail: (linkId: string) => linkId,
  memberInvites: (workspaceId: string) => `invites-${workspaceId}`,
  tierChanges: (workspaceId: string) => `tiers-${workspaceId}`,
};

export const searchAttributes = {
  bookingStatus: defineSearchAttributeKey('BookingStatus', SearchAttributeType.KEYWORD),
  workspace: defineSearchAttributeKey('Workspace', SearchAttributeType.KEYWORD),
  room: defineSearchAttributeKey('Room', SearchAttributeType.KEYWORD),
  slotStart: defineSearchAttributeKey('SlotStart', SearchAttributeType.DATETIME),
  attentionNeeded: defineSearchAttributeKey('AttentionNeeded', SearchAttributeType.BOOL),
};

export interface BookingInput {
  bookingId: string;
}

/** What opening a checkout came to. `refused` leaves nothing behind: of a booking, slot and idempotency key are free. */
export type CreateOutcome =
  | { kind: 'published' }
  | { kind: 'refused'; code: 'processor_error' | 'processor_unconfigured' | 'service_unavailable' };

/** Waits for the create's outcome. Sent with the start of the workflow, under the update id `create`. */
export const createBooking = defineUpdate<CreateOutcome>('create');

/** A change or cancellation that is stored in our own rows; its answer is there too once the update returns. */
export interface ChangeInput {
  changeId: string;
}

/** Changes the booking: notes, attendees, time, room. Sent under the change's id. */
export const changeBooking = defineUpdate<void, [ChangeInput]>('change');

/** Cancels the booking. Sent under the cancellation's id. */
export const cancelBooking = defineUpdate<void, [ChangeInput]>('cancel');

export interface InvoiceCheckoutInput {
  checkoutId: string;
}

/** Waits until an invoice's checkout is open. Sent with the start of its run, under the update id `create`. */
export const openInvoiceCheckout = defineUpdate<CreateOutcome>('create');

/** Closes an invoice's checkout, since the invoice is about to be paid or voided otherwise; returns when it is over. */
export const closeInvoiceCheckout = defineUpdate<void>('close');

export interface PaymentNotification {
  paymentIntentId: string;
  source: ConfirmationSource;
}

/** The processor is said to have the money; any of the four layers sends it, any number of times. */
export const paymentConfirmed = defineSignal<[PaymentNotification]>('payment-confirmed');

/** The processor has closed the checkout by itself, so that there is nothing left to wait for. */
export const checkoutClosed = defineSignal('checkout-closed');

export interface VerifyPaymentInput {
  /** One of the two. */
  paymentIntentId?: string;
  sessionId?: string;
  source: ConfirmationSource;
}

/** The refusal that a payment has once been given is given again for ever (decisions.md, "Late money"). */
export interface Refusal {
  code: 'slot_already_paid' | 'payment_too_late';
  /** Null where an invoice was to be paid. */
  booking_id: string | null;
  conflicting_booking_id: string | null;
  refund_id: string;
}

export type VerifyPaymentOutcome =
  | { kind: 'confirmed'; already: boolean; payment_id: string }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'unpaid' }
  | { kind: 'unknown' };

export interface RefundInput {
  refundId: string;
}

export interface AdoptRefundsInput {
  paymentIntentId: string;
}

/** Returns when the processor has been asked for the money, whatever its answer. */
export const refundAsked = defineUpdate<void>('asked');

/** The processor has news of this refund. */
export const refundUpdated = defineSignal('refund-updated');

export interface ProcessorOnboardingInput {
  workspaceId: string;
  returnUrl: string;
  refreshUrl: string;
}

export interface SignInMailInput {
  linkId: string;
}

export interface SelfHealInput {
  /** All workspaces where absent. */
  workspaceId?: string;
  /** Where a run that grew too long goes on. */
  resume?: { after: string; summary: SelfHealSummary };
}

export interface SelfHealSummary {
  /** Checkouts that were asked after at the processor. */
  examined: number;
  /** Bookings that turned out to be paid. */
  confirmed: number;
  /** Payments that came too late and go back. */
  refunded: number;
  /** Checkouts that can't be paid any more. */
  closed: number;
  /** Bookings and refunds whose workflow was missing. */
  revived: number;
  /** Slots that a dead create had kept. */
  released: number;
  /** Checkouts that could not be looked at this time. */
  failed: number;
}

export interface SubscriptionInvoicesInput {
  /** All workspaces where absent. */
  workspaceId?: string;
  /** The day, `YYYY-MM-DD`, in each workspace's zone; where absent, that which it is there at six hours ago. */
  asOf?: string;
  /** Where a run that grew too long goes on: the invoices it has opened, and the payers it has dealt with. */
  resume?: { created: string[]; begun: number };
}

export interface SubscriptionInvoicesSummary {
  /** The invoices that this run has opened. */
  created: string[];
  /** Payers that had nothing to be invoiced. */
  skipped: number;
}

export interface InvoiceAccountingInput {
  invoiceId: string;
}

/** The ledger has changed: the books have to follow. */
export const invoiceChanged = defineSignal('books-changed');

/** `settled`: ledger and books agree, or no write of ours can make them. */
export type InvoiceAccountingOutcome = 'settled' | 'refused' | 'disconnected';

export interface AccountingSyncInput {
  /** All workspaces where absent. */
  workspaceId?: string;
  /** Where a run that grew too long goes on. */
  resume?: {
    workspaces: string[];
    after: string;
    /** Set while the first workspace's overdue writes are being made up for. */
    overdueAfter?: string;
    summary: AccountingSyncSummary;
  };
}

export interface AccountingSyncSummary {
  /** Invoices in flight that were looked at. */
  examined: number;
  /** Those that are in the books since this run. */
  created: number;
  /** Those that a bookkeeper had approved meanwhile. */
  authorised: number;
  /** Writes left over from before that were made up for. */
  caught_up: number;
  /** Those that the books refused; each has its `accounting_error`. */
  failed: number;
  /** Those whose run still tries when this one ends. */
  under_way: number;
}

export interface AccountingReadInput {
  /** All workspaces where absent. */
  workspaceId?: string;
}

export interface ReconciliationInput {
  reconciliationId: string;
  workspaceId: string;
  /** Whether the owner gets mail about differences. */
  tellOwner: boolean;
}

export interface NightlyReconciliationInput {
  /** All workspaces where absent. */
  workspaceId?: string;
}

export interface NightlyReconciliationSummary {
  workspaces: number;
  failed: number;
}

export interface AccountingConsentInput {
  consentId: string;
  workspaceId: string;
}

/** Waits until the consent page can be opened. Sent with the start of the run, under the update id `open`. */
export const openConsent = defineUpdate<'opened' | 'unavailable'>('open');

/** `taken`: these books serve another workspace, or this workspace has others. */
export type ConsentOutcome = 'connected' | 'declined' | 'unavailable' | 'taken';

/** The operator has come back from the consent page. */
export const consentAnswered = defineUpdate<ConsentOutcome>('answered');

export const SCHEDULES = {
  selfHeal: 'self-heal',
  accountingSync: 'accounting-sync',
  subscriptionInvoices: 'subscription-invoices',
  memberCycle: 'member-cycle',
  nightlyReconciliation: 'nightly-reconciliation',
} as const;

/**
 * The task queues of webhook deliveries, beside the main one: what receivers do holds up nothing else, and a slow
 * or dead receiver holds up only others of its kind.
 */
export const webhookTaskQueues = (taskQueue: string) => ({
  prompt: `${taskQueue}-webhooks`,
  patient: `${taskQueue}-webhooks-slow`,
});

export interface WebhookDeliveryInput {
  workspaceId: string;
  /** Goes on in the patient queue: a run that grew too long hands it on. */
  struggling?: boolean;
}

/** There is something new in the workspace's webhook queue. */
export const eventsQueued = defineSignal('events-queued');

export interface RedeliveryInput {
  eventId: string;
}

export interface InvoiceMailInput {
  mailId: string;
}

export interface OwnerMailInput {
  mailId: string;
}

export interface MemberInvitesInput {
  workspaceId: string;
  /** Addresses that the mail server has refused so far: a run that grew too long hands it on. */
  refused?: number;
}

/** There are more invites to send. */
export const invitesOwed = defineSignal('invites-owed');

export interface TierChangesInput {
  workspaceId: string;
}

/** There are more upgrades to be paid for. */
export const tiersChanged = defineSignal('tiers-changed');

export interface MemberCycleInput {
  /** All workspaces where absent. */
  workspaceId?: string;
  /** `YYYY-MM-DD`: acts as at the end of that day, in each workspace's zone; now where absent. */
  asOf?: string;
  /** Where a run that grew too long goes on. */
  resume?: { after: string; summary: MemberCycleSummary };
}

export interface MemberCycleSummary {
  trials_ended: number;
  /** Members who got the lower tier they had asked for. */
  downgraded: number;
  /** Members who got their tokens. */
  granted: number;
  /** Members with whom it could not be done this time. */
  failed: number;
}
