import { activityInfo } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { DataSource } from 'typeorm';
import { findLostTime } from '../../db/queries/payments/lost-time.js';
import type { Checkout } from '../../db/entities/payments.js';
import { isAccountUnusable, isRefused } from '../failures.js';
import type { CardCharge, ChargePurpose, ChargeResult, Processor } from '../gateways/processor.js';

/** A stored charge of a card, and what it is for. */
export interface StoredCharge {
  checkout: Checkout;
  purpose: ChargePurpose & Pick<CardCharge, 'description'>;
  /** When what it is for was created: attempts since then may be lost. */
  since: Date;
  /** True if what it is for still has to be paid. If not, nothing is charged. */
  isDue: boolean;
  /** The card; null if there is none. */
  findCard: () => Promise<Pick<CardCharge, 'customer_id' | 'payment_method_id'> | null>;
}

/**
 * Charges of cards without their payers, for an invoice or a change (docs/rules/billing.md#cards-on-file).
 * Each charge is made once; a repeated call returns the current result. If nothing is due any more, no charge
 * is made, and an existing one is cancelled if possible. If the result has no intent, there was no charge.
 * Throws while the outcome is unknown.
 */
export function createCharging({ db, processor }: { db: DataSource; processor: Processor }) {
  return async ({ checkout, purpose, since, isDue, findCard }: StoredCharge): Promise<ChargeResult> => {
    const { account_id, amount_minor, currency } = checkout;
    try {
      if (!isDue) return await processor.endCharge(purpose);
      // The response to an attempt may be lost, and a key that is refused since then proves nothing. So later
      // attempts look first.
      const repeated = activityInfo().attempt > 1 ? { from: purpose.created_at, until: new Date() } : null;
      const lost = (await findLostTime(db.manager, account_id, since)) ?? repeated;
      const card = await findCard();
      if (!card) return { kind: 'refused', reason: 'no_card_on_file' };
      return await processor.charge({ ...purpose, ...card, lost, amount_minor, currency });
    } catch (error) {
      if (isAccountUnusable(error)) return { kind: 'refused', reason: 'account_unusable' };
      if (!isRefused(error)) throw error;
      const code = (error as ApplicationFailure).details?.[0];
      return { kind: 'refused', reason: typeof code === 'string' ? code : 'not_permitted' };
    }
  };
}
