import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';
import { disputeReason, EVIDENCE_WORDS } from '../../../../domain/payments/dispute-words.js';
import { SWEPT_JOBS, type SweptJob } from '../../../../domain/workspaces/swept-jobs.js';
import type { DisputeStatus } from '../../../../domain/states.js';
import type { DisabledReason } from '../../../../domain/events/webhook-schedule.js';
import { accountProblem, DISABLED_REASONS, MAIL_NAMES, mailFailure } from '../causes.js';

const DISPUTES: Partial<Record<DisputeStatus, string>> = {
  inquiry: 'The bank has sent an inquiry about the payment.',
  open: 'The bank disputes the amount.',
};

/** Describes a problem's reason and deadline; empty if unknown. */
export function describeProblemReason(item: AttentionItem, moment: (at: Date) => string): string {
  const deadline = item.due_by && `The deadline is ${moment(item.due_by)}.`;
  return [explainItem(item), deadline].filter(Boolean).join(' ');
}

function explainItem(item: AttentionItem): string | null {
  const { kind, reason, mail_kind, dispute_reason, dispute_evidence: evidence } = item;
  if (mail_kind) return `${MAIL_NAMES[mail_kind]}: ${reason ? mailFailure(reason) : 'not tried yet'}.`;
  if (kind === 'job_failed') return `${SWEPT_JOBS[item.object_id as SweptJob]}.`;
  if (!reason) return null;
  switch (kind) {
    case 'refund_failed':
      return null;
    case 'endpoint_disabled':
      return DISABLED_REASONS[reason as DisabledReason];
    case 'disputed':
      return [
        DISPUTES[reason as DisputeStatus],
        disputeReason(dispute_reason)?.says,
        evidence && evidence !== 'none' && EVIDENCE_WORDS[evidence],
      ]
        .filter(Boolean)
        .join(' ');
    case 'account_restricted':
      return `${accountProblem(reason)}.`;
    default:
      return `“${reason}”`;
  }
}
