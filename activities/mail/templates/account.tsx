import type { AccountMail } from '../../../db/queries/mail/account-mail.js';
import type { AccountMailKind } from '../../../domain/mail/kinds.js';
import { formatMoment } from '../../../domain/display.js';
import { Paragraphs, type MailContent } from './parts.js';

const OTHERS_ENDED = 'All other sessions have ended.';

/** `next`: the consequences. */
const CONTENTS: Record<AccountMailKind, { subject: string; what: string; next: string[] }> = {
  second_factor_enrolled: {
    subject: 'A new authenticator for your Holdfast account',
    what: 'A new authenticator app was set up for your account',
    next: [OTHERS_ENDED],
  },
  second_factor_reset: {
    subject: 'Two-step verification for your Holdfast account was reset',
    what:
      'The authenticator, the passkeys and the recovery codes of your account were removed because ' +
      'they were reported lost',
    next: [
      'All your sessions have ended.',
      'If you are an owner or admin, you set up an authenticator when you next sign in.',
    ],
  },
  recovery_codes_created: {
    subject: 'New recovery codes for your Holdfast account',
    what: 'New recovery codes were created for your account',
    next: [OTHERS_ENDED],
  },
  passkey_added: {
    subject: 'A new passkey for your Holdfast account',
    what: 'A new passkey was added to your account',
    next: [OTHERS_ENDED],
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Holdfast account',
    what: 'A passkey was removed from your account',
    next: ['You can no longer sign in with it.'],
  },
  new_device: {
    subject: 'New sign-in to your Holdfast account',
    what: 'Someone signed in to your account on a device that had not been used for it before',
    next: [
      'You can see and end all sessions on your account page.',
      'A private window, or a browser that has lost its cookies, also counts as new.',
    ],
  },
};

/**
 * Writes the mail that reports a sign-in, or a change of a person's sign-in methods
 * (docs/rules/credentials.md#second-factor).
 */
export function renderAccountMail({ id, kind, to, created_at, device }: AccountMail): MailContent {
  const { subject, what, next } = CONTENTS[kind];
  const at = formatMoment(created_at, 'UTC', new Date());
  const lines = [
    'Hello,',
    `${what} (${device ? `${device}, ` : ''}${at} UTC). ${next[0]!}`,
    ...next.slice(1),
    'If this was not you, someone else may have access to your email. Secure your mailbox, then contact ' +
      'the owner of your workspace.',
  ];
  return { id, to, subject, body: <Paragraphs of={lines} /> };
}
