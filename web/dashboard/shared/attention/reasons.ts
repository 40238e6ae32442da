import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';
import type { MailKind } from '../../../../domain/mails.js';
import type { DisabledReason } from '../../../../domain/webhook-schedule.js';
import { accountProblem, DISABLED_REASONS, MAIL_NAMES, mailFailure } from '../causes.js';
import { spaced } from '../../../ui/formats.js';

const DISPUTES: Record<string, string> = {
  inquiry: 'The bank has sent an inquiry about the payment',
  open: 'The bank disputes the amount',
};

/** The stored reason of a problem as a sentence; null if there is none to show. */
export function reasonOf({ kind, reason }: AttentionItem, moment: (at: Date) => string): string | null {
  if (!reason) return null;
  switch (kind) {
    case 'refund_failed':
      return null;
    case 'mail_not_sent':
    case 'mail_refused': {
      const [mail, code] = reason.split(' ') as [MailKind, string | undefined];
      return `${MAIL_NAMES[mail]}: ${code ? mailFailure(code) : 'not tried yet'}.`;
    }
    case 'endpoint_disabled':
      return DISABLED_REASONS[reason as DisabledReason];
    case 'disputed':
      return withDeadline(reason, (status) => DISPUTES[status] ?? spaced(status), moment);
    case 'account_restricted':
      return withDeadline(reason, accountProblem, moment);
    default:
      return `“${reason}”`;
  }
}

/** A code in words, and the deadline after it. */
function withDeadline(
  reason: string,
  inWords: (code: string) => string,
  moment: (at: Date) => string,
): string {
  const [, code, due] = /^(\S*?)\s?(\d{4}-\S+Z)?$/.exec(reason) ?? [null, reason];
  const deadline = due && `The deadline is ${moment(new Date(due))}.`;
  return [code && `${inWords(code)}.`, deadline].filter(Boolean).join(' ');
}
