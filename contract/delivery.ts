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
  /** Null for sign-in links, which belong to no workspace. */
  workspaceId: string | null;
  /** How many mails were refused so far; set by continue-as-new. */
  refused?: number;
}

/** The mail queue has new mail. */
export const mailQueued = defineSignal('mail-queued');
