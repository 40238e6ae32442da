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

/** What a code came to. `locked`: too many were wrong of late, and this one wasn't looked at. */
export type CodeOutcome = 'accepted' | 'wrong' | 'locked';

/** The secret of the authenticator that a person is setting up, the same one until it is confirmed. */
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
 * Looks at a code of the authenticator that counts, or of the one that is being set up (`confirm`), which counts from
 * then on. A code works once: its time step must be later than the last one taken. `andThen` runs in the same
 * transaction where the code is right.
 */
export async function takeCode(
  { db, encryption }: Deps,
  profileId: string,
  code: string,
  { confirm, andThen }: { confirm: boolean; andThen: (tx: Tx) => Promise<void> },
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
    await andThen(tx);
    return 'accepted';
  });
}

/** Gives a person new recovery codes in place of the old; they are shown this once. */
export async function renewRecoveryCodes(tx: Tx, profileId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, profileId, codes.map(hashRecoveryCode));
  return codes;
}
