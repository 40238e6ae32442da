import type Stripe from 'stripe';
import type { PlatformIdentity } from '../../commands/processor/platform.js';
import { isLiveKey } from '../../domain/processor/keys.js';
import { call } from './stripe-call.js';

/** Returns the recorded platform, and records the current one if there is none. */
export type RememberPlatform = (current: PlatformIdentity) => Promise<PlatformIdentity>;

/**
 * Thrown if the key belongs to another platform, or to the other mode, than the one whose accounts are in the
 * database.
 */
export class OtherPlatform extends Error {
  override readonly name = 'OtherPlatform';

  constructor(current: PlatformIdentity, recorded: PlatformIdentity) {
    const words = ({ account_id, live_mode }: PlatformIdentity): string =>
      `${account_id} in ${live_mode ? 'live' : 'test'} mode`;
    super(
      `STRIPE_SECRET_KEY belongs to ${words(current)}, the data to ${words(recorded)}. ` +
        `To change the platform on purpose, set STRIPE_PLATFORM_CHANGED_TO=${current.account_id}`,
    );
  }
}

/**
 * Asks the processor, at platform level, to whom the service's key belongs. Throws `OtherPlatform` if it is
 * not the recorded platform's key.
 */
export const ownKeyCheck =
  (stripe: Stripe, secretKey: string, remember: RememberPlatform) => async (): Promise<void> => {
    const { id } = await call(() => stripe.accounts.retrieveCurrent());
    const current = { account_id: id, live_mode: isLiveKey(secretKey) };
    const recorded = await remember(current);
    const isSame = current.account_id === recorded.account_id && current.live_mode === recorded.live_mode;
    if (!isSame) throw new OtherPlatform(current, recorded);
  };
