import type { AccountMail } from '../../../db/queries/mail/account-mail.js';
import type { AccountMailKind } from '../../../domain/mails.js';
import { formatMoment } from '../../../domain/display.js';
import { Paragraphs, type MailContent } from './parts.js';

const CONTENTS: Record<AccountMailKind, { subject: string; what: string; next?: string }> = {
  second_factor_enrolled: {
    subject: 'A new authenticator for your Holdfast account',
    what: 'A new authenticator app was set up for your account',
  },
  second_factor_reset: {
    subject: 'Two-step verification for your Holdfast account was reset',
    what: 'The authenticator and the recovery codes of your account were removed because they were reported lost',
    next: 'Owners and admins set up an authenticator at their next sign-in.',
  },
  recovery_codes_created: {
    subject: 'New recovery codes for your Holdfast account',
    what: 'New recovery codes were created for your account',
  },
};

/** Writes the mail that reports a change of a person's sign-in methods (docs/rules/credentials.md#second-factor). */
export function renderAccountMail({ id, kind, to, created_at }: AccountMail): MailContent {
  const { subject, what, next } = CONTENTS[kind];
  const at = formatMoment(created_at, 'UTC', new Date());
  const lines = [
    'Hello,',
    `${what} (${at} UTC). All ${kind === 'second_factor_reset' ? 'your' : 'other'} sessions have ended.`,
    ...(next ? [next] : []),
    'If this was not you, someone else may have access to your email. Secure your mailbox, then contact the owner of your workspace.',
  ];
  return { id, to, subject, body: <Paragraphs of={lines} /> };
}
