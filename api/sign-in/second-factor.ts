import {
  acceptStep,
  countFailure,
  lockSecondFactor,
  replaceRecoveryCodes,
  setPendingSecret,
  useRecoveryCode,
} from '../../db/repositories/access/second-factors.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOf } from './codes.js';

type Deps = Pick<ApiDependencies, 'db' | 'encryption'>;

const contextOf = (profileId: string): string => `second-factor:${profileId}`;

/** The result of a code. `locked`: after too many wrong codes this one was not checked. */
export type CodeOutcome = 'accepted' | 'wrong' | 'locked';

/** The secret of the authenticator that a person is setting up; it stays the same until it is confirmed. */
export async function secretToEnrol({ db, encryption }: Deps, profileId: string): Promise<string> {
  return transaction(db, async (tx) => {
    const factor = await lockSecondFactor(tx, profileId);
    if (factor?.pending_secret) return encryption.decrypt(factor.pending_secret, contextOf(profileId));
    const secret = newTotpSecret();
    await setPendingSecret(tx, profileId, encryption.encrypt(secret, contextOf(profileId)));
    return secret;
  });
}

/**
 * Checks a code of the current authenticator, or with `confirm` of the new one, which becomes the current one
 * (docs/rules/credentials.md#second-factor). A code can be used once: its time step must be later than that of the last
 * accepted one. `onAccepted` runs in the same transaction.
 */
export async function checkCode(
  { db, encryption }: Deps,
  profileId: string,
  code: string,
  { confirm, onAccepted }: { confirm: boolean; onAccepted: (tx: Tx) => Promise<void> },
): Promise<CodeOutcome> {
  return transaction(db, async (tx) => {
    const factor = await lockSecondFactor(tx, profileId);
    const sealed = confirm ? factor?.pending_secret : factor?.secret;
    if (!factor || !sealed) return 'wrong';
    if (factor.locked) return 'locked';
    const digits = code.replaceAll(' ', '');
    const step = /^\d{6}$/.test(digits)
      ? stepOf(encryption.decrypt(sealed, contextOf(profileId)), digits, Date.now())
      : null;
    if (step !== null && (confirm || step > factor.last_step))
      await acceptStep(tx, profileId, step, { confirm });
    else if (confirm || !(await useRecoveryCode(tx, profileId, hashRecoveryCode(code)))) {
      await countFailure(tx, profileId);
      return 'wrong';
    }
    await onAccepted(tx);
    return 'accepted';
  });
}

/** Replaces a person's recovery codes. Returns the new ones, which are shown only once. */
export async function renewRecoveryCodes(tx: Tx, profileId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, profileId, codes.map(hashRecoveryCode));
  return codes;
}
