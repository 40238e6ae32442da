import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface MailDeliveryInput {
  /** Null for sign-in links, which belong to no workspace. */
  workspaceId: string | null;
  /** How many mails have been refused so far; set by continue-as-new. */
  refused?: number;
}

/** The mail queue has new mail. */
export const mailQueued = defineSignal('mail-queued');

export const mailStarts = (start: Start) => ({
  mailDelivery: (workspaceId: string | null) =>
    start<MailDeliveryInput>(
      workflowIds.mailDelivery(workspaceId),
      { workspaceId },
      workspaceId ? "Sends the workspace's email" : 'Sends sign-in links by email',
      workspaceId,
    ),
});
