import { findInvite, type OpenInvite } from '../../db/queries/members/invite.js';
import { acceptInvite as storeAcceptance } from '../../commands/members/accept-invite.js';
import { describeRole, invitedTo } from '../../domain/members/invite-words.js';
import { describeOffer } from '../../domain/members/plans.js';
import { LINK_MINUTES, sendSignInLink } from '../../commands/sign-in/links.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { name as memberName } from '../../api/resources/shared/name.js';
import { assertNotFromOtherSite } from '../ui/browser.js';
import { showPage } from '../ui/layout.js';
import { hasLeftToken, noCookie, readGivenToken } from '../ui/link-session.js';
import { readSession } from '../ui/session.js';
import { opensWorkspace } from './single-sign-on/membership.js';

type Deps = Pick<
  ApiDependencies,
  'db' | 'inviteLinks' | 'trustedProxies' | 'encryption' | 'publicUrl' | 'mailQuotas'
>;

/** The form with which a member who has already joined proves their address. */
function showProof(ctx: ApiContext, { workspace_name, email }: OpenInvite): void {
  showPage(ctx, 200, {
    title: 'Confirm your email address',
    children: (
      <form method="post">
        <p>
          {workspace_name} uses <strong>{email}</strong> for your membership.
        </p>
        <button type="submit">Confirm email address</button>
      </form>
    ),
  });
}

function showForm(ctx: ApiContext, invite: OpenInvite, problem?: string): void {
  showPage(ctx, problem ? 422 : 200, {
    title: `Join ${invite.workspace_name}`,
    children: (
      <form method="post">
        <p>
          {invite.workspace_name} has invited <strong>{invite.email}</strong> {invitedTo(invite.role)}.
        </p>
        {[...describeRole(invite.role), ...describeOffer(invite, new Date())].map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <label for="name">Your name</label>
        <input id="name" name="name" value={invite.name} maxLength={200} autocomplete="name" required />
        {problem && (
          <p class="alert" role="alert">
            {problem}
          </p>
        )}
        <button type="submit">Join</button>
      </form>
    ),
  });
}

const INVALID = 'This invite is no longer valid';

function showUnusable(ctx: ApiContext, title: string, explanation: string): void {
  showPage(ctx, 410, { title, mark: 'bad', children: <p>{explanation}</p> });
}

/** People who have joined open this link again too. They continue by signing in. */
function showUsed(ctx: ApiContext): void {
  showPage(ctx, 410, {
    title: INVALID,
    mark: 'bad',
    children: (
      <>
        <p>
          It has been used or replaced by a newer one. If you have used it, sign in. If you need a new invite,
          ask the person who invited you.
        </p>
        <a class="button" href="/sign-in">
          Sign in
        </a>
      </>
    ),
  });
}

/** The open invite of the link. Null if a page or a redirect was already sent. */
async function findOpenInvite(ctx: ApiContext, deps: Deps): Promise<OpenInvite | null> {
  ctx.set('Referrer-Policy', 'no-referrer');
  const given = readGivenToken(ctx, deps);
  const id = given && deps.inviteLinks.read(given.token);
  const invite = id && (await findInvite(deps.db.manager, id));
  if (given && invite && invite.expires_at > new Date()) {
    if (hasLeftToken(ctx, deps, `/invite/${invite.id}`, given)) return null;
    if (ctx.method === 'POST' && !given.isInAddress) assertNotFromOtherSite(ctx, deps);
    return invite;
  }
  if (!given) showUnusable(ctx, 'Open the link in your invite', noCookie());
  else if (!invite) showUsed(ctx);
  else showUnusable(ctx, 'This invite has expired', `Ask ${invite.workspace_name} for a new one.`);
  return null;
}

/** `GET /invite/:token` shows the form and changes nothing, because mail clients open links too. */
export function showInvite(deps: Deps): Handler {
  return async (ctx) => {
    const invite = await findOpenInvite(ctx, deps);
    if (!invite) return;
    if (invite.completes_signup) showForm(ctx, invite);
    else showProof(ctx, invite);
  };
}

/** A new member's name; null if it is missing or invalid. */
export const inviteFields = { name: memberName.failover(null).default(null) };

/** `POST /invite/:token` proves the address and completes the signup (docs/rules/members.md#invites). */
export function acceptInvite(deps: Deps): Handler {
  return async (ctx) => {
    const invite = await findOpenInvite(ctx, deps);
    if (!invite) return;
    const name = invite.completes_signup ? (ctx.state.body as { name: string | null }).name : null;
    if (invite.completes_signup && name === null)
      return showForm(
        ctx,
        invite,
        'Enter a name: one line of at most 200 characters, without a web or email address.',
      );
    const accepted = await storeAcceptance(deps.db, invite.id, name);
    if (!accepted) return showUsed(ctx);
    await leadOn(ctx, deps, invite, name);
  };
}

/**
 * Sends a person who has accepted to the dashboard if their session opens it, otherwise emails a sign-in
 * link. The invite does not sign anyone in, because it stays in a mailbox for days.
 */
async function leadOn(ctx: ApiContext, deps: Deps, invite: OpenInvite, name: string | null): Promise<void> {
  const dashboard = `/dashboard/${invite.workspace_id}`;
  const session = await readSession(ctx, deps);
  if (session?.profile_id === invite.profile_id && opensWorkspace(session, invite.workspace_id)) {
    ctx.status = 303;
    return ctx.redirect(dashboard);
  }
  const isSent = await sendLink(deps, invite.email, dashboard);
  showPage(ctx, 200, {
    title: name === null ? 'Your email address is confirmed' : `You have joined ${invite.workspace_name}`,
    mark: 'good',
    children: (
      <>
        <p>
          {name !== null && `Welcome, ${name}. `}
          {isSent ? 'We’ve sent a sign-in link to ' : 'You sign in with '}
          <strong>{invite.email}</strong>.{isSent && ` It can be used once, within ${LINK_MINUTES} minutes.`}
        </p>
        <a class={isSent ? undefined : 'button'} href="/sign-in">
          {isSent ? 'Request another link' : 'Sign in'}
        </a>
      </>
    ),
  });
}

/** Sends a sign-in link. Returns false if the address has reached the limit for such links. */
async function sendLink(deps: Deps, email: string, returnTo: string): Promise<boolean> {
  try {
    await sendSignInLink(deps, email, returnTo);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return false;
    throw error;
  }
}
