import { createHash, randomInt } from 'node:crypto';
import { createChallenge, verifySolution, type Challenge, type Solution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Encryption } from '../db/encryption.js';
import { MINUTE_MS } from '../domain/durations.js';

/** Costs a phone about 0.5 to 2 seconds, and the service a millisecond. */
const DIFFICULTY = { algorithm: 'PBKDF2/SHA-256', cost: 2_000 };
const ATTEMPTS = { least: 300, most: 1_200 };

/** How long a challenge can be answered. The buckets that remember spent ones are kept for longer. */
const VALID_MS = 20 * MINUTE_MS;

/** Longer texts cannot be an answer to one of our challenges. */
const MAX_PROOF = 4_000;

/**
 * Challenges that cost a browser some work to solve, in ALTCHA's protocol
 * (docs/rules/booking-page.md#proof-of-work).
 */
export interface ProofsOfWork {
  /** A new challenge, for `altcha` widgets and libraries, and for the script of the booking page. */
  challenge(): Promise<Challenge>;
  /** The id under which a valid answer is marked as spent; null for any other text. */
  read(proof: string): Promise<string | null>;
}

/** Challenges are signed, not stored: any process can check the answer to one. */
export function createProofsOfWork({ deriveKeys }: Pick<Encryption, 'deriveKeys'>): ProofsOfWork {
  const deriveSecrets = (purpose: string): string[] => deriveKeys(purpose).map((key) => key.toString('hex'));
  const answers = deriveSecrets('holdfast:proofs of work');
  const secrets = deriveSecrets('holdfast:challenges').map((hmacSignatureSecret, n) => ({
    hmacSignatureSecret,
    hmacKeySignatureSecret: answers[n]!,
  }));
  return {
    challenge: () =>
      createChallenge({
        ...DIFFICULTY,
        ...secrets[0]!,
        deriveKey,
        counter: randomInt(ATTEMPTS.least, ATTEMPTS.most),
        expiresAt: new Date(Date.now() + VALID_MS),
      }),
    async read(proof) {
      const answer = answerIn(proof);
      if (!answer) return null;
      for (const secret of secrets) {
        const { verified } = await verifySolution({ ...answer, ...secret, deriveKey }).catch(() => ({
          verified: false,
        }));
        if (verified) return createHash('sha256').update(answer.challenge.signature!).digest('hex');
      }
      return null;
    },
  };
}

/**
 * A challenge and its answer, which may be forged: the JSON `{challenge, solution}` in base64, as ALTCHA's
 * widgets send it. Null if the parameters are not ours, because they determine the cost of the check.
 */
function answerIn(proof: string): { challenge: Challenge; solution: Solution } | null {
  if (proof.length > MAX_PROOF) return null;
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(proof, 'base64').toString());
    const { algorithm, cost, keyLength } = challenge.parameters;
    const isOurs = algorithm === DIFFICULTY.algorithm && cost === DIFFICULTY.cost && keyLength === 32;
    return isOurs && typeof challenge.signature === 'string' ? { challenge, solution } : null;
  } catch {
    return null;
  }
}
