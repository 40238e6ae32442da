import type { DataSource } from 'typeorm';
import type { CardSetup } from '../../db/entities/collections.js';
import { findCardSetup } from '../../db/queries/payments/card.js';
import { findRemovedCard, isBeingCharged } from '../../db/queries/payments/removed-card.js';
import { finishRemovedCard } from '../../commands/payments/removed-cards.js';
import { endCardSetup, saveCard, setCardSetupOpen } from '../../commands/payments/cards.js';
import { transaction } from '../../db/transaction.js';
import { failures, isAccountUnusable, isRefused } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import type { CardSetupStatus } from '../gateways/processor-card-setup.js';

/** Cards on file (docs/rules/billing.md#cards-on-file). */
export function createCardSetupActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existing(setupId: string): Promise<CardSetup> {
    const setup = await findCardSetup(db.manager, setupId);
    if (!setup) throw failures.referenceMissing(`card setup ${setupId}`);
    return setup;
  }

  /** Opens the page of a request, under the same key each time, and stores it. */
  async function open(setup: CardSetup): Promise<string> {
    const session = await processor.openCardSetup(setup);
    await transaction(db, (tx) => setCardSetupOpen(tx, setup.id, session));
    return session.id;
  }

  /**
   * Returns the state of the page. If a failover has lost the record that it was opened, it is requested from
   * the processor again. A revoked account cannot be queried: none of its cards can be charged.
   */
  async function ask(setup: CardSetup, close: boolean): Promise<CardSetupStatus> {
    try {
      const sessionId = setup.session_id ?? (await open(setup));
      const look = close ? processor.closeCardSetup : processor.lookUpCardSetup;
      return await look(setup.account_id, sessionId);
    } catch (error) {
      if (isAccountUnusable(error)) return { kind: 'closed' };
      if (setup.session_id || !isRefused(error)) throw error;
      return { kind: close ? 'closed' : 'open' };
    }
  }

  return {
    /** Opens the page. A repeated call returns the same page. Returns when it expires, in ISO 8601. */
    async requestCardSetup(setupId: string): Promise<string> {
      const setup = await existing(setupId);
      if (setup.state === 'opening') await open(setup);
      return setup.session_expires_at.toISOString();
    },

    /**
     * Records that the page could not be opened. If it was opened although the result was lost, it stays
     * open.
     */
    async abandonCardSetup(setupId: string): Promise<void> {
      await transaction(db, (tx) => endCardSetup(tx, setupId, 'opening'));
    },

    /**
     * Puts the card on file if the payer has saved one. `close`: if not, closes the page so that nobody can
     * save one any more.
     */
    async finishCardSetup(input: { setupId: string; close: boolean }): Promise<'open' | 'saved' | 'closed'> {
      const setup = await existing(input.setupId);
      if (setup.state === 'saved' || setup.state === 'closed') return setup.state;
      const status = await ask(setup, input.close);
      if (status.kind === 'saved') await transaction(db, (tx) => saveCard(tx, setup.id, status.card));
      if (status.kind === 'closed') await transaction(db, (tx) => endCardSetup(tx, setup.id));
      return status.kind;
    },

    /** Detaches a removed card, unless it is being charged. A revoked account has no cards to charge. */
    async detachCard(setupId: string): Promise<'detached' | 'charged'> {
      const card = await findRemovedCard(db.manager, setupId);
      if (!card) return 'detached';
      if (await isBeingCharged(db.manager, card)) return 'charged';
      try {
        await processor.detachCard(card.account_id, card.payment_method_id);
      } catch (error) {
        if (!isAccountUnusable(error)) throw error;
      }
      await finishRemovedCard(db.manager, setupId);
      return 'detached';
    },
  };
}
