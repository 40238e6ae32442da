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
  readAccount: 'readAccount',
  readAccounts: 'readAccounts',
  databaseBeat: 'databaseBeat',
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
  ssoCertificates: 'ssoCertificates',
  payouts: 'payouts',
  tierChanges: 'tierChanges',
  retention: 'retention',
} as const;

/** Workflow ids. A booking's run has the booking's id, so that it can be pasted into the Web UI. */
export const workflowIds = {
  booking: (bookingId: string) => bookingId,
  invoiceCheckout: (checkoutId: string) => checkoutId,
  cardSetup: (setupId: string) => setupId,
  refund: (refundId: string) => refundId,
  accountingConsent: (consentId: string) => consentId,
  detachCard: (setupId: string) => `detach-${setupId}`,
  collectInvoice: (invoiceId: string) => `collect-${invoiceId}`,
  adoptRefunds: (paymentIntentId: string) => `refunds-${paymentIntentId}`,
  paymentDisputes: (paymentIntentId: string) => `disputes-${paymentIntentId}`,
  processorAccount: (accountId: string) => `account-${accountId}`,
  readAccount: (accountId: string) => `read-${accountId}`,
  verifyPayment: (paymentIntentOrSessionId: string) => `verify-${paymentIntentOrSessionId}`,
  processorOnboarding: (workspaceId: string) => `onboarding-${workspaceId}`,
  webhookDelivery: (workspaceId: string) => `webhooks-${workspaceId}`,
  redelivery: (eventId: string) => `redeliver-${eventId}`,
  /** Null for sign-in links, which belong to no workspace. */
  mailDelivery: (workspaceId: string | null) => `mail-${workspaceId ?? 'sign-in'}`,
  invoiceAccounting: (invoiceId: string) => `acc_${invoiceId}`,
  workspaceAccountingSync: (workspaceId: string) => `accounting-sync-${workspaceId}`,
  /** Several can run at a time, so a number follows. */
  accountingConnection: (action: string) => `accounting-${action}`,
  reconciliation: (workspaceId: string, from: string, to: string) => `reconcile-${workspaceId}-${from}-${to}`,
  /** A `reconciliation` that the nightly job starts. */
  scheduledReconciliation: (reconciliationId: string) => `nightly-${reconciliationId}`,
  tierChanges: (workspaceId: string) => `tiers-${workspaceId}`,
};

/**
 * The beginnings of the ids above. If the id of an object is the id of its run, it begins with the object's
 * prefix.
 */
const PREFIXES = {
  booking: 'bk_',
  invoiceCheckout: 'chk_',
  cardSetup: 'cset_',
  refund: 'pay_',
  accountingConsent: 'cns_',
  detachCard: 'detach-',
  collectInvoice: 'collect-',
  adoptRefunds: 'refunds-',
  paymentDisputes: 'disputes-',
  processorAccount: 'account-',
  readAccount: 'read-',
  verifyPayment: 'verify-',
  processorOnboarding: 'onboarding-',
  webhookDelivery: 'webhooks-',
  redelivery: 'redeliver-',
  mailDelivery: 'mail-',
  invoiceAccounting: 'acc_',
  workspaceAccountingSync: 'accounting-sync-',
  accountingConnection: 'accounting-',
  reconciliation: 'reconcile-',
  scheduledReconciliation: 'nightly-',
  tierChanges: 'tiers-',
} as const satisfies Record<keyof typeof workflowIds, string>;

/**
 * Returns what a run is about, from the beginning of its id, and the rest of the id; null for other ids. The
 * job of a Schedule counts as the workflow with the same beginning, such as `nightly-reconciliation-…`.
 */
export function parseWorkflowId(id: string): { workflow: keyof typeof workflowIds; rest: string } | null {
  for (const [workflow, prefix] of Object.entries(PREFIXES) as [keyof typeof workflowIds, string][])
    if (id.startsWith(prefix)) return { workflow, rest: id.slice(prefix.length) };
  return null;
}
