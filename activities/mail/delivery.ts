import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { type DueMail, findDueMails, findMailBacklog } from '../../db/queries/mail/mail-queue.js';
import { type MailDependencies, MailSending } from './sending.js';

export type { MailDependencies };

const PAGE = 50;
/** How many mails of one queue are sent concurrently. */
const CONCURRENCY = 4;
/** An activity starts to send no further mails after this long; in a workflow task, sooner. */
const SENDING_MS = 20_000;
const SENDING_IN_TASK_MS = 1_000;
/** How many workflow tasks of this worker send mail concurrently: most of its slots stay free, however slow the mail server is. */
const TASKS_AT_ONCE = 10;
const HEARTBEAT_MS = 2_000;
/** How long a free slot waits for a mail that becomes due, while others are being sent. */
const IDLE_MS = 1_000;

/** The result of one activity. */
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

/** Sends queued mail (docs/rules/mail.md#delivery). */
export function createMailActivities(deps: MailDependencies) {
  const { db } = deps;
  let tasks = 0;

  return {
    /**
     * Sends a workspace's due mail (for null, sign-in links) for a few seconds at most. A mail that fails is retried
     * later or marked as failed, and does not stop the others. The activity can be killed at any point. As a local
     * activity it sends only what takes a second, and nothing while enough workflow tasks send mail.
     */
    async sendMails(workspaceId: string | null): Promise<MailReport> {
      const { cancellationSignal, heartbeat, info } = Context.current();
      const heartbeats = setInterval(() => heartbeat(), HEARTBEAT_MS);
      const isInTask = info.isLocal;
      const inTaskMs = tasks < TASKS_AT_ONCE ? SENDING_IN_TASK_MS : 0;
      const until = Date.now() + (isInTask ? inTaskMs : SENDING_MS);
      if (isInTask) tasks++;
      const due = new DueMails((except) => findDueMails(db.manager, workspaceId, { except, limit: PAGE }));
      const tally = { sent: 0, skipped: 0, refused: 0, retried: 0, held: 0 };

      const shouldContinue = (): boolean => !cancellationSignal.aborted && Date.now() < until;
      const sending = new MailSending(deps, workspaceId, (mail, outcome) => {
        tally[outcome]++;
        due.done(mail);
      });

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

      try {
        await Promise.all(Array.from({ length: CONCURRENCY }, work));
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

/** Hands out due mails, each to one caller, and reads more when it runs out. */
class DueMails {
  private readonly sending = new Set<string>();
  private page: DueMail[] = [];
  private reading: Promise<void> | null = null;
  private waiting: (() => void)[] = [];

  constructor(private readonly read: (except: string[]) => Promise<DueMail[]>) {}

  /** True while a mail is being sent; more may become due meanwhile. */
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
