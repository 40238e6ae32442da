import { defineSignal } from '@temporalio/workflow';

export interface WebhookDeliveryInput {
  workspaceId: string;
  /** Starts in the queue for slow receivers; set by continue-as-new. */
  struggling?: boolean;
}

/** The workspace's webhook queue has new events. */
export const eventsQueued = defineSignal('events-queued');

export interface RedeliveryInput {
  eventId: string;
}

export interface MailDeliveryInput {
  /** Null for the mail of no workspace: sign-in links. */
  workspaceId: string | null;
  /** Mails that mail servers have refused so far; set by continue-as-new. */
  refused?: number;
}

/** The mail queue has new mail. */
export const mailQueued = defineSignal('mail-queued');
