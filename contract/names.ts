import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Workflow types, as the Web UI lists them. */
export const WORKFLOWS = {
  booking: 'booking',
  invoiceCheckout: 'invoiceCheckout',
  cardSetup: 'cardSetup',
  detachCard: 'detachCard',
  collectInvoice: 'collectInvoice',
  verifyPayment: 'verifyPayment',
  refund: 'refund',
  adoptRefunds: 'adoptRefunds',
  paymentDisputes: 'paymentDisputes',
  processorAccount: 'processorAccount',
  processorOnboarding: 'processorOnboarding',
  selfHeal: 'selfHeal',
  webhookDelivery: 'webhookDelivery',
  redelivery: 'redelivery',
  mailDelivery: 'mailDelivery',
  reconciliation: 'reconciliation',
  nightlyReconciliation: 'nightlyReconciliation',
  subscriptionInvoices: 'subscriptionInvoices',
  invoiceAccounting: 'invoiceAccounting',
  accountingSync: 'accountingSync',
  workspaceAccountingSync: 'workspaceAccountingSync',
  accountingRead: 'accountingRead',
  accountingConsent: 'accountingConsent',
  accountingConnection: 'accountingConnection',
  memberCycle: 'memberCycle',
  tierChanges: 'tierChanges',
  retention: 'retention',
} as const;

/** Workflow ids. A booking's run has the booking's id, so that it can be pasted into the Web UI. */
export const workflowIds = {
  booking: (bookingId: string) => bookingId,
  invoiceCheckout: (checkoutId: string) => checkoutId,
  cardSetup: (setupId: string) => setupId,
  detachCard: (setupId: string) => `detach-${setupId}`,
  collectInvoice: (invoiceId: string) => `collect-${invoiceId}`,
  refund: (refundId: string) => refundId,
  adoptRefunds: (paymentIntentId: string) => `refunds-${paymentIntentId}`,
  paymentDisputes: (paymentIntentId: string) => `disputes-${paymentIntentId}`,
  processorAccount: (accountId: string) => `account-${accountId}`,
  verifyPayment: (paymentIntentOrSessionId: string) => `verify-${paymentIntentOrSessionId}`,
  processorOnboarding: (workspaceId: string) => `onboarding-${workspaceId}`,
  webhookDelivery: (workspaceId: string) => `webhooks-${workspaceId}`,
  redelivery: (eventId: string) => `redeliver-${eventId}`,
  /** Null for sign-in links, which belong to no workspace. */
  mailDelivery: (workspaceId: string | null) => `mail-${workspaceId ?? 'sign-in'}`,
  invoiceAccounting: (invoiceId: string) => `acc_${invoiceId}`,
  accountingConsent: (consentId: string) => consentId,
  workspaceAccountingSync: (workspaceId: string) => `accounting-sync-${workspaceId}`,
  reconciliation: (workspaceId: string, from: string, to: string) => `reconcile-${workspaceId}-${from}-${to}`,
  nightlyReconciliation: (reconciliationId: string) => `nightly-${reconciliationId}`,
  tierChanges: (workspaceId: string) => `tiers-${workspaceId}`,
};

/** Ids of the Schedules. */
export const SCHEDULES = {
  selfHeal: 'self-heal',
  accountingSync: 'accounting-sync',
  subscriptionInvoices: 'subscription-invoices',
  memberCycle: 'member-cycle',
  nightlyReconciliation: 'nightly-reconciliation',
  retention: 'retention',
} as const;

/** Search attributes of the runs (docs/temporal.md#search-attributes-and-current-details). */
export const searchAttributes = {
  bookingStatus: defineSearchAttributeKey('BookingStatus', SearchAttributeType.KEYWORD),
  workspace: defineSearchAttributeKey('Workspace', SearchAttributeType.KEYWORD),
  room: defineSearchAttributeKey('Room', SearchAttributeType.KEYWORD),
  slotStart: defineSearchAttributeKey('SlotStart', SearchAttributeType.DATETIME),
  attentionNeeded: defineSearchAttributeKey('AttentionNeeded', SearchAttributeType.BOOL),
};

/**
 * Task queues for webhook deliveries, separate from the main one so that a receiver never occupies a slot of the main
 * worker. Slow and failing receivers have their own queue and delay only each other.
 */
export const webhookTaskQueues = (taskQueue: string) => ({
  fast: `${taskQueue}-webhooks`,
  slow: `${taskQueue}-webhooks-slow`,
});
