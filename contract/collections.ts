import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CreateOutcome } from './bookings.js';

export interface CardSetupInput {
  setupId: string;
}

/** Waits until the page of a card setup is open. Sent with the start of its run, under the update id `create`. */
export const openCardSetupUpdate = defineUpdate<CreateOutcome>('create');

/** The payer has returned from the page, or the processor reports that they are done. */
export const cardSetupReported = defineSignal('card-setup-reported');

export interface DetachCardInput {
  /** The request that saved the card. */
  setupId: string;
}

/** A card was taken off file. */
export const cardRemoved = defineSignal('card-removed');

export interface CollectInvoiceInput {
  invoiceId: string;
}

/** Something that the collection of an invoice depends on has changed. */
export const collectionChanged = defineSignal('collection-changed');
