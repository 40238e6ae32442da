import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { MailKind } from '../../../domain/mail/kinds.js';

/** Whether the payer has a payment page's link by email, or is about to get it; null if neither is known. */
export type LinkMail = 'sent' | 'queued' | null;

/** `about`: only mail about this object. */
export function linkMailStatus(
  timeline: TimelineEntry[],
  { kind, about }: { kind: MailKind; about?: string },
): LinkMail {
  const mails = timeline
    .flatMap((entry) => (entry.kind === 'mail' ? [entry.facts] : []))
    .filter((mail) => mail.kind === kind && (about === undefined || mail.about === about));
  if (mails.some(({ status }) => status === 'sent')) return 'sent';
  // A mail that has failed an attempt, or is held, may take longer.
  const isDue = mails.some(({ status, failure_code }) => status === 'pending' && failure_code === null);
  return isDue ? 'queued' : null;
}
