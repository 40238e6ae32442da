import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

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
} as const;

/** Ids of the runs that callers address. A booking's is the booking's own id, so that it can be pasted into the Web UI. */
export const workflowIds = {
  booking: (bookingId: string) => bookingId,
  invoiceCheckout: (checkoutId: string) => checkoutId,
  refund: (refundId: string) => refundId,
  adoptRefunds: (paymentIntentId: string) => `refunds-${paymentIntentId}`,
  verifyPayment: (paymentIntentOrSessionId: string) => `verify-${paymentIntentOrSessionId}`,
  processorOnboarding: (workspaceId: string) => `onboarding-${workspaceId}`,
  webhookDelivery: (workspaceId: string) => `webhooks-${workspaceId}`,
  redelivery: (eventId: string) => `redeliver-${eventId}`,
  /** Null: the mail of no workspace, which is that with sign-in links. */
  mailDelivery: (workspaceId: string | null) => `mail-${workspaceId ?? 'sign-in'}`,
  invoiceAccounting: (invoiceId: string) => `acc_${invoiceId}`,
  accountingConsent: (consentId: string) => consentId,
  workspaceAccountingSync: (workspaceId: string) => `accounting-sync-${workspaceId}`,
  reconciliation: (workspaceId: string, from: string, to: string) => `reconcile-${workspaceId}-${from}-${to}`,
  nightlyReconciliation: (reconciliationId: string) => `nightly-${reconciliationId}`,
  tierChanges: (workspaceId: string) => `tiers-${workspaceId}`,
};

export const SCHEDULES = {
  selfHeal: 'self-heal',
  accountingSync: 'accounting-sync',
  subscriptionInvoices: 'subscription-invoices',
  memberCycle: 'member-cycle',
  nightlyReconciliation: 'nightly-reconciliation',
} as const;

export const searchAttributes = {
  bookingStatus: defineSearchAttributeKey('BookingStatus', SearchAttributeType.KEYWORD),
  workspace: defineSearchAttributeKey('Workspace', SearchAttributeType.KEYWORD),
  room: defineSearchAttributeKey('Room', SearchAttributeType.KEYWORD),
  slotStart: defineSearchAttributeKey('SlotStart', SearchAttributeType.DATETIME),
  attentionNeeded: defineSearchAttributeKey('AttentionNeeded', SearchAttributeType.BOOL),
};

/**
 * The task queues of webhook deliveries, next to the main one, so that a receiver never holds a slot of the main
 * worker. Slow and failing receivers have a queue of their own and hold up only each other.
 */
export const webhookTaskQueues = (taskQueue: string) => ({
  prompt: `${taskQueue}-webhooks`,
  patient: `${taskQueue}-webhooks-slow`,
});
