import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CreateOutcome } from './checkouts.js';
import { workflowIds } from '../names.js';
import type { Start } from '../run.js';

export interface CardSetupInput {
  setupId: string;
}

/**
 * Waits until the page of a card setup is open. Sent with the start of its run, under the update id `create`.
 */
export const openCardSetupUpdate = defineUpdate<CreateOutcome>('create');

/** The payer has returned from the page, or the processor reports that they are done. */
export const cardSetupReported = defineSignal('card-setup-reported');

export interface DetachCardInput {
  /** The request that saved the card. */
  setupId: string;
}

export const cardRemoved = defineSignal('card-removed');

export const cardStarts = (start: Start) => ({
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
      'Detaches a removed card at the processor',
      workspaceId,
    ),
});
