import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { countRefusal } from '../../commands/mail/mail-holds.js';
import {
  claimNewMails,
  leaveToRun,
  type MailLane,
  recordFailedAttempt,
  releaseNewMails,
} from '../../commands/mail/mail-queue.js';
import { type DueMail, findDueMails, findMailBacklog } from '../../db/queries/mail/mail-queue.js';
import { transaction } from '../../db/transaction.js';
import { type MailDependencies, type MailOutcome, MailSending, type StoreFailure } from './sending.js';

export type { MailDependencies };

const PAGE = 50;
/** How many mails of one queue are sent concurrently. */
const CONCURRENCY = 4;
/** An activity starts no further mails after this time. Within a workflow task, it is shorter. */
const SENDING_MS = 20_000;
const SENDING_IN_TASK_MS = 1_000;
/**
 * A mail server that does not respond fails an attempt after 20 s. With this limit, that is before the claim
 * of 30 s ends.
 */
const SENDING_NEW_MS = 5_000;
/**
 * How many workflow tasks of this worker send mail concurrently. Most of its slots stay free, however slow
 * the mail server is.
 */
const TASKS_AT_ONCE = 10;
const HEARTBEAT_MS = 2_000;
/** How long a free slot waits for a mail to become due, while others are being sent. */
const IDLE_MS = 1_000;

export interface MailReport {
  sent: number;
  /** Mails that have failed permanently. */
  refused: number;
  /** Mails that are still pending, and how many of these have failed several attempts. */
  waiting: number;
  delayed: number;
  /** True if some of them are due, or have failed an attempt. */
  isLeft: boolean;
  /** Milliseconds until the next attempt is due; null if nothing is pending. */
  waitMs: number | null;
}

/** Sends mail of a run's queue (docs/rules/mail.md#delivery). */
export function createMailActivities(deps: MailDependencies) {
  const { db } = deps;
  let tasks = 0;

  return {
    /**
     * Sends a workspace's due mail (for null, sign-in links) whose first attempt has failed or that was held,
     * for a few seconds at most. A mail that fails is retried later or marked as failed, and does not stop
     * the others. The activity can be killed at any point. As a local activity it sends for only a second,
     * and nothing while enough other workflow tasks send mail.
     */
    async sendMails(workspaceId: string | null): Promise<MailReport> {
      const { cancellationSignal, heartbeat, info, log } = Context.current();
      const heartbeats = setInterval(() => heartbeat(), HEARTBEAT_MS);
      const isInTask = info.isLocal;
      const inTaskMs = tasks < TASKS_AT_ONCE ? SENDING_IN_TASK_MS : 0;
      const until = Date.now() + (isInTask ? inTaskMs : SENDING_MS);
      if (isInTask) tasks++;
      const tally = { sent: 0, skipped: 0, refused: 0, retried: 0, held: 0, unknown_kind: 0 };
      try {
        await sendDue(deps, workspaceId, {
          read: (except) => findDueMails(db.manager, workspaceId, { except, limit: PAGE }),
          shouldContinue: () => !cancellationSignal.aborted && Date.now() < until,
          finished: (_mail, outcome) => tally[outcome]++,
          async storeFailure(mail, failure, message) {
            log.warn('mail not sent', { mailId: mail.id, kind: mail.kind, ...failure });
            const isFinal = await transaction(db, async (tx) => {
              if (workspaceId !== null && message && failure.recipient)
                await countRefusal(tx, deps.mailQuotas.refused_recipients, workspaceId, {
                  to: message.to,
                  by_public_guest: mail.unproven_booking !== null,
                });
              return recordFailedAttempt(tx, mail.id, failure);
            });
            return isFinal ? 'refused' : 'retried';
          },
        });
      } finally {
        clearInterval(heartbeats);
        if (isInTask) tasks--;
      }
      const { waiting, delayed, is_left, wait_ms } = await findMailBacklog(db.manager, workspaceId);
      const { sent, refused } = tally;
      return { sent, refused, waiting, delayed, isLeft: is_left, waitMs: wait_ms };
    },
  };
}

/** What differs between runs and workers that send mail. */
interface Delivery {
  /** Returns more due mails, without those that are being sent; empty if there are no more. */
  read: (except: string[]) => Promise<DueMail[]>;
  /** False once no further mail may be started. */
  shouldContinue: () => boolean;
  finished: (mail: DueMail, outcome: MailOutcome) => void;
  storeFailure: StoreFailure;
}

/** Sends what `read` returns, a few mails at a time, until there is no more or `shouldContinue` is false. */
async function sendDue(
  deps: MailDependencies,
  workspaceId: string | null,
  { read, shouldContinue, finished, storeFailure }: Delivery,
): Promise<void> {
  const due = new DueMails(read);
  const sending = new MailSending(
    deps,
    workspaceId,
    (mail, outcome) => {
      finished(mail, outcome);
      due.done(mail);
    },
    storeFailure,
  );

  async function work(): Promise<void> {
    while (shouldContinue()) {
      const mail = await due.next();
      if (mail) await sending.send(mail, shouldContinue);
      else {
        if (!due.inProgress) return;
        await Promise.race([due.oneIsDone(), sleep(IDLE_MS, undefined, { ref: false })]);
      }
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/**
 * Sends new mail of a queue without a run: claims it, a few mails at a time, for a few seconds at most. A
 * mail that fails is left to the queue's run, which retries it and shows persistent failures. The process can
 * be killed at any point: what it has claimed can be claimed again half a minute later. Returns how many were
 * sent.
 */
export async function sendNewMails(
  deps: MailDependencies,
  lane: MailLane,
  { signal, warn }: { signal: AbortSignal; warn: (details: object) => void },
): Promise<number> {
  const { db } = deps;
  const until = Date.now() + SENDING_NEW_MS;
  const claimed = new Set<string>();
  let isLast = false;
  let sent = 0;
  try {
    await sendDue(deps, lane.workspaceId, {
      async read() {
        if (isLast) return [];
        const mails = await claimNewMails(db.manager, lane, CONCURRENCY);
        isLast = mails.length < CONCURRENCY;
        for (const { id } of mails) claimed.add(id);
        return mails;
      },
      shouldContinue: () => !signal.aborted && Date.now() < until,
      finished({ id }, outcome) {
        claimed.delete(id);
        if (outcome === 'sent') sent++;
      },
      async storeFailure({ id, kind }, failure) {
        warn({ mailId: id, kind, ...failure });
        await leaveToRun(db.manager, id, failure.code);
        return 'retried';
      },
    });
  } finally {
    if (claimed.size > 0) await releaseNewMails(db.manager, [...claimed]);
  }
  return sent;
}

/** Hands out due mails, each to one caller, and reads more when there are none left. */
class DueMails {
  private readonly sending = new Set<string>();
  private page: DueMail[] = [];
  private reading: Promise<void> | null = null;
  private waiting: (() => void)[] = [];

  constructor(private readonly read: (except: string[]) => Promise<DueMail[]>) {}

  /** True while a mail is being sent; more may become due in the meantime. */
  get inProgress(): boolean {
    return this.sending.size > 0;
  }

  async next(): Promise<DueMail | undefined> {
    if (this.page.length === 0) await (this.reading ??= this.readPage());
    const mail = this.page.shift();
    if (mail) this.sending.add(mail.id);
    return mail;
  }

  done(mail: DueMail): void {
    this.sending.delete(mail.id);
    for (const wake of this.waiting.splice(0)) wake();
  }

  oneIsDone(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private async readPage(): Promise<void> {
    try {
      this.page = await this.read([...this.sending]);
    } finally {
      this.reading = null;
    }
  }
}
