import type { Logger } from 'pino';
import { sendNewMails, type MailDependencies } from '../activities/mail/delivery.js';
import { findQueuesWithNewMail } from '../db/queries/mail/mail-queue.js';
import type { Backoff } from './backoff.js';
import { Places } from './places.js';

/** Queues of which a look finds new mail at most. */
const LIMIT = 8;

/** The key of the queue that belongs to no workspace. */
const SIGN_IN = 'sign-in';
const queueOf = (key: string): string | null => (key === SIGN_IN ? null : key);

/** Sends new mail without a run, a few queues together (docs/rules/mail.md#delivery). */
export class NewMail {
  private readonly places: Places;

  constructor(
    private readonly deps: MailDependencies,
    private readonly count: (sent: number) => void,
    private readonly log: Logger,
    backoff: Backoff,
    /** Aborts when no more mail is to be begun. */
    private readonly signal: AbortSignal,
  ) {
    this.places = new Places(backoff);
  }

  /** Begins to send the mail of the queues that are due. Throws if they cannot be read. */
  async sendDue(): Promise<void> {
    const except = this.places.taken.map(queueOf);
    for (const queue of await findQueuesWithNewMail(this.deps.db.manager, { except, limit: LIMIT })) {
      if (this.signal.aborted) return;
      await this.places.begin(queue ?? SIGN_IN, async () => {
        const warn = (details: object): void => this.log.warn(details, 'mail not sent');
        this.count(await sendNewMails(this.deps, queue, { signal: this.signal, warn }));
      });
    }
  }

  /** Resolves when no mail is being sent. */
  settled(): Promise<void> {
    return this.places.settled();
  }
}
