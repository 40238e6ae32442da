import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities, MailReport } from '../activities/index.js';
import { FIRST_MAILS, MAIL_DELIVERY } from './activity-options.js';
import { Attention } from './attention.js';
import { mailQueued, type MailDeliveryInput } from '../contract/mail.js';
import { firstInTask } from './in-task.js';

const { sendMails } = proxyActivities<Activities>(MAIL_DELIVERY);
const sendFirst = firstInTask((activities) => activities.sendMails, MAIL_DELIVERY, FIRST_MAILS);

/**
 * How long a run waits for more mail before it ends, so that a busy workspace does not start a run per mail.
 */
const LINGER_MS = 30_000;
const MIN_PAUSE_MS = 100;

/**
 * Sends a workspace's mail whose first attempt has failed or that was held, while there is any
 * (docs/rules/mail.md#delivery). The outbox relay, which sends new mail itself, starts or signals it. The
 * queue and its retry times are in Postgres: one activity sends all mail that is due. A mail that is retried
 * or refused does not delay others. Mail is sent in the workflow task, unless some was left over the last
 * time: then there is much of it, or the mail server is slow or down.
 */
export async function mailDelivery({ workspaceId, refused = 0 }: MailDeliveryInput): Promise<string> {
  const attention = new Attention();
  let woken = true;
  let isLeft = false;
  let sent = 0;
  setHandler(mailQueued, () => {
    woken = true;
  });
  if (refused > 0) showRefused();

  for (;;) {
    woken = false;
    attention.showStatus('Sending mail.');
    const send = isLeft ? sendMails : sendFirst;
    const report: MailReport = await attention.retryUntilDone('sending mail', () => send(workspaceId));
    isLeft = report.isLeft;
    sent += report.sent;
    refused += report.refused;
    if (report.refused > 0) showRefused();
    showRetried(report);
    if (workflowInfo().continueAsNewSuggested) {
      await attention.continueAsNew<typeof mailDelivery>({ workspaceId, refused });
    }
    attention.showStatus(describe(report));
    const { waitMs } = report;
    const summary = waitMs === null ? 'ends unless more mail is queued' : 'next attempt is due';
    await condition(() => woken, Math.max(waitMs ?? LINGER_MS, MIN_PAUSE_MS), { summary });
    if (waitMs === null && !woken) return `${sent} sent, ${refused} refused`;
  }

  function showRefused(): void {
    const mails = refused === 1 ? 'one email' : `${refused} emails`;
    attention.raise('mail', `was permanently rejected: ${mails}. Correct the addresses and send again.`);
  }

  /**
   * Shows mail that several attempts could not send: the mail server is down, or defers mail to these
   * addresses.
   */
  function showRetried({ delayed }: MailReport): void {
    const subject = 'sending mail to some recipients';
    if (delayed > 0)
      attention.raise(subject, `keeps failing: ${delayed} emails are waiting for their next attempt.`);
    else attention.resolve(subject);
  }
}

function describe({ waiting, waitMs }: MailReport): string {
  if (waitMs === null) return 'All emails have been sent. Waiting for more.';
  const next = new Date(Date.now() + waitMs).toISOString();
  return `Waiting to retry at ${next}. ${waiting} emails are queued.`;
}
