import type { AccountFacts, Processor } from './processor.js';

/**
 * Throws `PaymentsPaused` while facts about an account may be missing. `known`: what the caller has just read
 * about it.
 */
export type AssertMoneyMoves = (accountId: string, known?: AccountFacts) => Promise<void>;

/**
 * Makes every call that charges, refunds or requests money wait until the facts of its account are known
 * (docs/internals/recovery.md#paused-payments). Calls that only read, or end something, do not wait.
 */
export function guardMoneyCalls(processor: Processor, assertMoneyMoves: AssertMoneyMoves): Processor {
  const afterCheck =
    <Request extends { account_id: string; account?: AccountFacts }, Result>(
      move: (request: Request) => Promise<Result>,
    ) =>
    async (request: Request): Promise<Result> => {
      await assertMoneyMoves(request.account_id, request.account);
      return move(request);
    };
  return {
    ...processor,
    openCheckout: afterCheck(processor.openCheckout),
    openCardSetup: afterCheck(processor.openCardSetup),
    charge: afterCheck(processor.charge),
    submitRefund: afterCheck(processor.submitRefund),
  };
}
