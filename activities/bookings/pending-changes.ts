import type { DataSource } from 'typeorm';
import { findChangeCheckout } from '../../db/queries/payments/checkout.js';
import { findChange } from '../../db/queries/bookings/booking-change.js';
import { endPendingChange, publishLink } from '../../commands/bookings/change/pay.js';
import type { CheckoutState } from '../../db/entities/payments.js';
import type { ChangeActor } from '../../domain/bookings/change.js';
import type { ReturnSecrets } from '../../db/signed-links.js';
import { transaction } from '../../db/transaction.js';
import type { ProcessorRefusalCode } from '../../domain/processor/refusals.js';
import { stateOfChanged, type BookingRunState } from './bookings.js';
import { failures } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import { buildSessionRequest } from '../payments/lookup.js';

/**
 * Changes whose payer pays on the hosted page (docs/rules/bookings.md#paying-the-difference-by-link). All
 * activities are idempotent.
 */
export function createPendingChangeActivities({
  db,
  processor,
  returnSecrets,
}: {
  db: DataSource;
  processor: Processor;
  returnSecrets: ReturnSecrets;
}) {
  return {
    /** Opens the checkout of a change and publishes its link. A repeated call gets the same session. */
    async openChangeCheckout(changeId: string): Promise<void> {
      const checkout = await findChangeCheckout(db.manager, changeId);
      if (!checkout) throw failures.referenceMissing(`checkout of ${changeId}`);
      if (checkout.state !== 'opening') return;
      const session = await processor.openCheckout(await buildSessionRequest(db, returnSecrets, checkout));
      await transaction(db, (tx) => publishLink(tx, changeId, session));
    },

    /** Ends a change whose checkout could not be opened. A change that was published stays. */
    async refuseChangeCheckout(input: { changeId: string; code: ProcessorRefusalCode }): Promise<void> {
      const { changeId, code } = input;
      await transaction(db, (tx) => endPendingChange(tx, changeId, { end: 'not_opened', code }));
    },

    /**
     * Ends a change that was not paid, unless it has already ended. `checkout`: the state of its session, if
     * the processor has reported it; `by`: who withdraws the change. Returns the booking's state.
     */
    async endPendingChange(input: {
      changeId: string;
      end: 'lapsed' | 'withdrawn';
      by?: ChangeActor;
      checkout?: CheckoutState;
    }): Promise<BookingRunState> {
      const { changeId, ...how } = input;
      await transaction(db, (tx) => endPendingChange(tx, changeId, how));
      return stateOfChanged(db.manager, await findChange(db.manager, changeId));
    },
  };
}
