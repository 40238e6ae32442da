import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import type { SsoRefusal, SsoRefusalReason } from './identity.js';

/** What the person is told. The owner sees details in the audit log and in a test. */
const PEOPLE: Partial<
  Record<SsoRefusalReason, { status: number; title: string; text: (name: string) => string }>
> = {
  provider_unavailable: {
    status: 502,
    title: 'Your sign-in provider does not respond',
    text: (name) => `${name} can’t be reached. Wait a few minutes, then try again.`,
  },
  provider_error: {
    status: 403,
    title: 'You are not signed in',
    text: (name) =>
      `${name} did not sign you in. Try again, or ask the person who manages ${name} for access.`,
  },
  login_expired: {
    status: 410,
    title: 'This sign-in took too long',
    text: () => 'Start again, and complete it within 10 minutes.',
  },
  expired: {
    status: 403,
    title: 'This sign-in is no longer valid',
    text: (name) =>
      `The response from ${name} had expired when it arrived. Try again. If it happens again, tell the ` +
      'workspace’s owner that the clocks may differ.',
  },
  replayed: {
    status: 410,
    title: 'This sign-in has ended',
    text: () => 'Each sign-in can be used once. Start again.',
  },
  other_browser: {
    status: 403,
    title: 'This sign-in began in another browser',
    text: () => 'Start again in this one. If you block cookies, allow them for this site.',
  },
  unsolicited: {
    status: 403,
    title: 'Start from the sign-in page',
    text: (name) => `A sign-in begins here, not at ${name}.`,
  },
  unknown_member: {
    status: 403,
    title: 'You are not a member yet',
    text: (name) =>
      `${name} signed you in, but you have not been added to this workspace. Ask its team to invite you.`,
  },
  archived: {
    status: 403,
    title: 'Your membership has ended',
    text: () => 'If you still need access, ask the workspace’s team.',
  },
  other_subject: {
    status: 403,
    title: 'Another account uses your email address',
    text: (name) =>
      `Another account at ${name} signed in with this address before. Ask the workspace’s team to ` +
      'unlink that account on your member page.',
  },
  no_email: {
    status: 403,
    title: 'Your email address is missing',
    text: (name) =>
      `${name} did not send your email address. Ask the person who manages ${name} to include it.`,
  },
  email_not_verified: {
    status: 403,
    title: 'Your email address is not confirmed',
    text: (name) => `Confirm your email address at ${name}, then try again.`,
  },
  no_fresh_login: {
    status: 403,
    title: 'We could not confirm that it’s you',
    text: (name) => `${name} did not ask you to sign in again or did not report when you did.`,
  },
};

/** Why the person is not signed in. Retrying takes a click, because an automatic redirect would loop. */
export function showRefusal(
  ctx: ApiContext,
  { reason }: SsoRefusal,
  { name, again }: { name: string; again: string },
): void {
  const known = PEOPLE[reason];
  showPage(ctx, known?.status ?? 403, {
    title: known?.title ?? 'You are not signed in',
    mark: 'bad',
    children: (
      <>
        <p role="alert">
          {known?.text(name) ??
            `The response from ${name} was not accepted. Try again. If it happens again, tell the ` +
              'workspace’s owner.'}
        </p>
        <a class="button" href={again}>
          Try again
        </a>
      </>
    ),
  });
}
