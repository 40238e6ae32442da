/**
 * The start options of every workflow: id, task queue, input, static summary, search attributes, policies. API,
 * outbox relay, activities, Schedules and parent workflows all start runs from here. No side effects.
 */
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { describeBooking } from '../domain/presenters/booking.js';
import {
  SCHEDULES,
  searchAttributes,
  workflowIds,
  type AccountingConnectionInput,
  type AccountingConsentInput,
  type AccountingReadInput,
  type AdoptRefundsInput,
  type BookingInput,
  type CardSetupInput,
  type CollectInvoiceInput,
  type DetachCardInput,
  type InvoiceAccountingInput,
  type InvoiceCheckoutInput,
  type MailDeliveryInput,
  type PaymentDisputesInput,
  type ProcessorAccountInput,
  type ProcessorOnboardingInput,
  type ReconciliationInput,
  type RedeliveryInput,
  type RefundInput,
  type TierChangesInput,
  type VerifyPaymentInput,
  type WebhookDeliveryInput,
  type WorkspaceAccountingSyncInput,
} from './index.js';

/**
 * How long a workflow task of a checkout's run may go without a sign of its worker. It contains one call to the processor
 * of at most 6 s that a client waits for. If the worker dies, another one must repeat it within the client's 14 s.
 */
const CHECKOUT_TASK = { workflowTaskTimeout: '8 seconds' } as const;

const { ALLOW_DUPLICATE, REJECT_DUPLICATE } = WorkflowIdReusePolicy;
const { USE_EXISTING, FAIL } = WorkflowIdConflictPolicy;

/** Joins a running workflow of the same id; runs a finished one again. Every start below has this policy. */
const JOIN = { workflowIdConflictPolicy: USE_EXISTING, workflowIdReusePolicy: ALLOW_DUPLICATE };
/** Joins a running workflow of the same id; never runs a finished one again. */
export const ONCE = { workflowIdConflictPolicy: USE_EXISTING, workflowIdReusePolicy: REJECT_DUPLICATE };
/** Fails with `WorkflowExecutionAlreadyStartedError` if a workflow of the same id is running. */
export const IF_MISSING = { workflowIdConflictPolicy: FAIL, workflowIdReusePolicy: ALLOW_DUPLICATE };

/** A job that a Schedule starts; it can also be run by hand. */
export type Job = keyof typeof SCHEDULES;

const JOB_SUMMARIES: Record<Job, string> = {
  selfHeal: 'Hourly: confirms payments and releases expired holds that the other layers missed',
  accountingSync: 'Hourly: sends open invoices to the accounting system and reads approvals back',
  subscriptionInvoices: 'Every 15 minutes: invoices subscriptions of workspaces where it is 06:00',
  memberCycle: 'Hourly: ends trials, applies downgrades and grants hour credits that are due',
  retention: 'Nightly: deletes rows that are kept for a time only',
  nightlyReconciliation: 'Nightly: compares processor, ledger and accounting system',
};

/** The cause of a refund, as the Web UI shows it. */
const REFUND_SUMMARIES = {
  requested: 'Refunds a payment',
  change: 'Refunds the difference after a change or cancellation',
  overpaid: 'Refunds the amount paid over the total',
  late: 'Refunds a payment that could not confirm its booking',
  adopted: 'Tracks a refund created at the processor',
  updated: 'Tracks a refund whose status changed at the processor',
  funded: 'Retries a refund that lacked balance',
  revived: 'Continues a refund whose run was lost',
} as const;

export type RefundCause = keyof typeof REFUND_SUMMARIES;

interface BookingToStart {
  id: string;
  workspace_id: string;
  room_id: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
}

/** Temporal limits summaries to this many bytes. */
const SUMMARY_BYTES = 200;

/** A booking in one line. The name of the room is cut where necessary, between characters. */
function summaryOf(booking: BookingToStart): string {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;
  const summary = describeBooking(booking);
  if (bytes(summary) <= SUMMARY_BYTES) return summary;
  const name = [...booking.room_name];
  const cut = (): string => describeBooking({ ...booking, room_name: `${name.join('')}…` });
  while (bytes(cut()) > SUMMARY_BYTES) name.pop();
  return cut();
}

/** The workspace of a run: operators search by it, and the dashboard finds runs that need attention by it. */
const ofWorkspace = (workspaceId: string): TypedSearchAttributes =>
  new TypedSearchAttributes([{ key: searchAttributes.workspace, value: workspaceId }]);

/** An id for workflows of which several may run at once. */
const uniqueId = (prefix: string): string =>
  `${prefix}-${Date.now()}-${Math.floor(Math.random() * 1_000_000)}`;

/** Start options per workflow type, for workers that poll `taskQueue`. `workspaceId` is null if it is unknown. */
export function starts(taskQueue: string) {
  const start = <Input>(
    workflowId: string,
    input: Input,
    staticSummary: string,
    workspaceId: string | null,
  ) => ({
    taskQueue,
    workflowId,
    args: [input] as [Input],
    staticSummary,
    ...(workspaceId !== null && { typedSearchAttributes: ofWorkspace(workspaceId) }),
    ...JOIN,
  });

  return {
    booking: (booking: BookingToStart) => ({
      ...start<BookingInput>(
        workflowIds.booking(booking.id),
        { bookingId: booking.id },
        summaryOf(booking),
        null,
      ),
      ...CHECKOUT_TASK,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: searchAttributes.bookingStatus, value: 'pending_payment' },
        { key: searchAttributes.workspace, value: booking.workspace_id },
        { key: searchAttributes.room, value: booking.room_id },
        { key: searchAttributes.slotStart, value: booking.start_at },
      ]),
    }),

    invoiceCheckout: (checkoutId: string) => ({
      ...start<InvoiceCheckoutInput>(
        workflowIds.invoiceCheckout(checkoutId),
        { checkoutId },
        'Takes the payment of an invoice on the hosted page',
        null,
      ),
      ...CHECKOUT_TASK,
    }),

    cardSetup: (setupId: string, workspaceId: string) =>
      start<CardSetupInput>(
        workflowIds.cardSetup(setupId),
        { setupId },
        "Puts a payer's card on file",
        workspaceId,
      ),

    detachCard: (setupId: string, workspaceId: string) =>
      start<DetachCardInput>(
        workflowIds.detachCard(setupId),
        { setupId },
        'Detaches a card that is off file at the processor',
        workspaceId,
      ),

    collectInvoice: (invoiceId: string, workspaceId: string) =>
      start<CollectInvoiceInput>(
        workflowIds.collectInvoice(invoiceId),
        { invoiceId },
        'Collects an invoice',
        workspaceId,
      ),

    verifyPayment: (input: VerifyPaymentInput) =>
      start<VerifyPaymentInput>(
        workflowIds.verifyPayment(input.paymentIntentId ?? input.sessionId!),
        input,
        'Verifies a payment at the processor',
        null,
      ),

    refund: (refundId: string, workspaceId: string | null, cause: RefundCause) =>
      start<RefundInput>(workflowIds.refund(refundId), { refundId }, REFUND_SUMMARIES[cause], workspaceId),

    /** With `eventId`, one run per processor event: a run that is about to end would miss a later refund. */
    adoptRefunds: (paymentIntentId: string, workspaceId: string | null, eventId?: string) =>
      start<AdoptRefundsInput>(
        [workflowIds.adoptRefunds(paymentIntentId), eventId].filter(Boolean).join('-'),
        { paymentIntentId },
        'Looks for refunds created at the processor',
        workspaceId,
      ),

    paymentDisputes: (paymentIntentId: string, workspaceId: string | null) =>
      start<PaymentDisputesInput>(
        workflowIds.paymentDisputes(paymentIntentId),
        { paymentIntentId },
        'Follows the disputes of a payment',
        workspaceId,
      ),

    processorAccount: (accountId: string, workspaceId: string | null) =>
      start<ProcessorAccountInput>(
        workflowIds.processorAccount(accountId),
        { accountId },
        'Reads the status of the connected account',
        workspaceId,
      ),

    processorOnboarding: (input: ProcessorOnboardingInput) =>
      start<ProcessorOnboardingInput>(
        workflowIds.processorOnboarding(input.workspaceId),
        input,
        'Opens the onboarding to the payment processor',
        input.workspaceId,
      ),

    webhookDelivery: (workspaceId: string) =>
      start<WebhookDeliveryInput>(
        workflowIds.webhookDelivery(workspaceId),
        { workspaceId },
        "Sends events to the workspace's webhook endpoint",
        workspaceId,
      ),

    redelivery: (eventId: string, workspaceId: string) =>
      start<RedeliveryInput>(
        workflowIds.redelivery(eventId),
        { eventId },
        'Sends one event once, on request',
        workspaceId,
      ),

    mailDelivery: (workspaceId: string | null) =>
      start<MailDeliveryInput>(
        workflowIds.mailDelivery(workspaceId),
        { workspaceId },
        workspaceId ? "Sends the workspace's email" : 'Sends sign-in links by email',
        workspaceId,
      ),

    invoiceAccounting: (invoiceId: string, workspaceId: string) =>
      start<InvoiceAccountingInput>(
        workflowIds.invoiceAccounting(invoiceId),
        { invoiceId },
        'Syncs an invoice to the accounting system',
        workspaceId,
      ),

    accountingRead: (input: AccountingReadInput) =>
      start<AccountingReadInput>(
        uniqueId('accounting-read'),
        input,
        'Reads invoices back from the accounting system',
        input.workspaceId ?? null,
      ),

    workspaceAccountingSync: (workspaceId: string) =>
      start<WorkspaceAccountingSyncInput>(
        workflowIds.workspaceAccountingSync(workspaceId),
        { workspaceId },
        'Sends open invoices to the accounting system and reads approvals back',
        workspaceId,
      ),

    accountingConnection: (input: AccountingConnectionInput) =>
      start<AccountingConnectionInput>(
        uniqueId(`accounting-${input.action}`),
        input,
        input.action === 'disconnect'
          ? 'Ends the connection to the accounting system'
          : 'Reads the accounts and tax types of the accounting system',
        input.workspaceId,
      ),

    accountingConsent: (input: AccountingConsentInput) =>
      start<AccountingConsentInput>(
        workflowIds.accountingConsent(input.consentId),
        input,
        'Connects the workspace to its accounting system',
        input.workspaceId,
      ),

    reconciliation: (input: ReconciliationInput, range: { from: string; to: string } | 'nightly') =>
      start<ReconciliationInput>(
        range === 'nightly'
          ? workflowIds.nightlyReconciliation(input.reconciliationId)
          : workflowIds.reconciliation(input.workspaceId, range.from, range.to),
        input,
        'Compares processor, ledger and accounting system',
        input.workspaceId,
      ),

    tierChanges: (workspaceId: string) =>
      start<TierChangesInput>(
        workflowIds.tierChanges(workspaceId),
        { workspaceId },
        "Bills the workspace's tier upgrades",
        workspaceId,
      ),

    /** The run that a Schedule starts, for all workspaces. */
    scheduled: (job: Job) => start(SCHEDULES[job], {}, JOB_SUMMARIES[job], null),

    /** A run started by hand, in addition to those of the Schedule. */
    byHand: (job: Job, input: { workspaceId?: string; asOf?: string }) =>
      start(uniqueId(SCHEDULES[job]), input, 'Run manually', input.workspaceId ?? null),
  };
}
