import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface CollectInvoiceInput {
  invoiceId: string;
}

/** Something that the collection of an invoice depends on has changed. */
export const collectionChanged = defineSignal('collection-changed');

export const collectionStarts = (start: Start) => ({
  collectInvoice: (invoiceId: string, workspaceId: string) =>
    start<CollectInvoiceInput>(
      workflowIds.collectInvoice(invoiceId),
      { invoiceId },
      'Collects an invoice',
      workspaceId,
    ),
});
