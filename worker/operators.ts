import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Mailer } from '../activities/gateways/mail.js';
import { renderRecoveryMail } from '../activities/mail/templates/operators.js';
import type { TellOperators } from '../activities/processor/account-reads.js';

/**
 * The number of attempts, which last a quarter of an hour, because the mail server may have failed over too.
 */
const ATTEMPTS = 30;
const RETRY_MS = 30_000;

/** Returns a function that mails the operators of the service that the database is behind. */
export function tellOperators({
  mailer,
  operators,
  log,
}: {
  mailer: Mailer;
  operators: readonly string[];
  log: Logger;
}): TellOperators {
  const send = async (to: string, index: number, behind: Parameters<TellOperators>[0]): Promise<void> => {
    const message = renderRecoveryMail(`behind-${behind.since.getTime()}-${index}`, to, behind);
    for (let left = ATTEMPTS; ; left--)
      try {
        return await mailer.send(message);
      } catch (error) {
        if (left === 1)
          return log.error({ err: error }, 'an operator could not be mailed that the database is behind');
        await sleep(RETRY_MS, undefined, { ref: false });
      }
  };
  return async (behind) => {
    await Promise.all(operators.map((to, index) => send(to, index, behind)));
  };
}
