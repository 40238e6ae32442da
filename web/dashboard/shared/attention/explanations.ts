import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';

/** What each kind of problem means and what an operator can do (docs/guides/runbook.md#attention). */
export const EXPLANATIONS: Record<AttentionItem['kind'], { what: string; todo: string }> = {
  hold_not_ended: {
    what: 'The hold has expired, but the slot has not been released',
    todo: 'Stripe has not confirmed whether it was paid. This is retried automatically.',
  },
  change_not_charged: {
    what: 'A change is waiting for a card charge',
    todo: 'Both slots are held until Stripe confirms whether the card was charged.',
  },
  change_not_ended: {
    what: 'A change was not paid in time, but its slot has not been released',
    todo: 'Stripe has not confirmed whether it was paid. This is retried automatically.',
  },
  not_completed: {
    what: 'The booking has ended but is not completed',
    todo: 'We are restarting this, which can take up to an hour. No payment is affected.',
  },
  refund_failed: {
    what: 'A refund failed',
    todo: 'The payer has not received the money. Check the payment in Stripe, then retry the refund.',
  },
  refund_not_requested: {
    what: 'A refund could not be sent to Stripe',
    todo:
      'Stripe does not respond, or the account is no longer connected. This is retried automatically, ' +
      'and nothing is refunded twice.',
  },
  refund_pending: {
    what: 'A refund has been pending for more than a day',
    todo:
      'Banks can take several days. The refund is tracked until it succeeds or fails; ' +
      'no action is needed.',
  },
  disputed: {
    what: 'A payment is disputed',
    todo:
      'Respond to the dispute in Stripe before the deadline. Once evidence is submitted, the bank ' +
      'decides and no action is needed.',
  },
  refund_unfunded: {
    what: 'A refund is waiting for funds',
    todo: 'Add funds to the Stripe account. The refund is made when funds arrive.',
  },
  not_in_accounting: {
    what: 'An invoice is not in the accounting system',
    todo: 'This is retried every hour. If a problem is reported, fix it in the accounting system.',
  },
  account_restricted: {
    what: 'Stripe needs more information',
    todo:
      'Sign in to Stripe and submit the requested information. Payments or payouts are paused, or ' +
      'will be, until you do.',
  },
  accounting_disconnected: {
    what: 'The accounting system is no longer connected',
    todo:
      'The organisation has revoked access. Reconnect it under Accounting to send the queued ' +
      'invoices and payments.',
  },
  mail_not_sent: {
    what: 'An email could not be sent',
    todo:
      'The mail server has not accepted it yet, or the workspace has emailed too many new addresses ' +
      'today. This is retried automatically.',
  },
  mail_refused: {
    what: 'An email was rejected',
    todo:
      'The mail server permanently rejected the address or the message. Correct a guest’s address ' +
      'on the booking’s page, which resends the email. Correct any other address on its page, then ' +
      'resend the email.',
  },
  mail_held: {
    what: 'Email to new addresses is on hold',
    todo:
      'Email to addresses that the workspace has not emailed before is held. All other email is ' +
      'sent. If too many addresses rejected email, correct them. Sending resumes after 24 hours ' +
      'without a rejection. If a reason is shown, the operator of the service placed the hold.',
  },
  endpoint_disabled: {
    what: 'The webhook endpoint is disabled',
    todo: 'Fix the receiver, then save the endpoint to enable it again. Missed events are listed there.',
  },
  job_failed: {
    what: 'An automatic job is failing for this workspace',
    todo:
      'It is retried with each run. The operator of the service can see why it fails. If a time ' +
      'zone is listed here, correct it first.',
  },
  time_zone_wrong: {
    what: 'A time zone is not supported',
    todo:
      'Choose an IANA time zone, such as Europe/London. Until then, times may be shown in UTC, rooms may ' +
      'be closed, and invoices may wait.',
  },
  processor_revoked: {
    what: 'The Stripe account is no longer connected',
    todo: 'Nobody can pay until it is reconnected.',
  },
};
