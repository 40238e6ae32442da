import { findInvite, type OpenInvite } from '../../db/queries/members/invite.js';
import { acceptInvite as storeAcceptance } from '../../commands/members/accept-invite.js';
import { describeOffer } from '../../domain/plans.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { name as memberName } from '../../api/resources/shared/name.js';
import { assertNotFromOtherSite } from '../ui/browser.js';
import { showPage } from '../ui/layout.js';
import { hasLeftToken, NO_COOKIE, tokenOf } from '../ui/link-session.js';

type Deps = Pick<ApiDependencies, 'db' | 'inviteLinks' | 'trustedProxies' | 'encryption' | 'publicUrl'>;

/** The form that proves the address of a member who has joined already. */
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
          You were invited as <strong>{invite.email}</strong>.
        </p>
        {describeOffer(invite, new Date()).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <label for="name">Your name</label>
        <input id="name" name="name" value={invite.name} maxLength={200} autocomplete="name" required />
        {problem && (
          <p class="alert" role="alert">
            {problem}
          </p>
        )}
        <button type="submit">Become a member</button>
      </form>
    ),
  });
}

const INVALID = 'This invitation is no longer valid';

function showUnusable(ctx: ApiContext, title: string, explanation: string): void {
  showPage(ctx, 410, { title, mark: 'bad', children: <p>{explanation}</p> });
}

/**
 * The open invite of the link; null after a page that explains why there is none, or the redirect to the page without the
 * token.
 */
async function inviteOf(ctx: ApiContext, deps: Deps): Promise<OpenInvite | null> {
  ctx.set('Referrer-Policy', 'no-referrer');
  const given = tokenOf(ctx, deps);
  const id = given && deps.inviteLinks.read(given.token);
  const invite = id && (await findInvite(deps.db.manager, id));
  if (given && invite && invite.expires_at > new Date()) {
    if (hasLeftToken(ctx, deps, `/invite/${invite.id}`, given)) return null;
    if (ctx.method === 'POST' && !given.isInAddress) assertNotFromOtherSite(ctx, deps);
    return invite;
  }
  if (!given) showUnusable(ctx, 'Open your invitation by its link', NO_COOKIE);
  else if (!invite)
    showUnusable(
      ctx,
      INVALID,
      'It has been used or replaced by a newer one. If you need a new invitation, ask the person who invited you.',
    );
  else showUnusable(ctx, 'This invitation has expired', `Ask ${invite.workspace_name} for a new one.`);
  return null;
}

/** `GET /invite/:token` shows the form and changes nothing, since mail programs open links too. */
export function showInvite(deps: Deps): Handler {
  return async (ctx) => {
    const invite = await inviteOf(ctx, deps);
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
    const invite = await inviteOf(ctx, deps);
    if (!invite) return;
    const name = invite.completes_signup ? (ctx.state.body as { name: string | null }).name : null;
    if (invite.completes_signup && name === null)
      return showForm(
        ctx,
        invite,
        'Enter a name: one line of at most 200 characters, without a web or email address.',
      );
    const accepted = await transaction(deps.db, (tx) => storeAcceptance(tx, invite.id, name));
    if (!accepted) return showUnusable(ctx, INVALID, 'It has already been used.');
    if (name === null)
      return showPage(ctx, 200, {
        title: 'Your email address is confirmed',
        mark: 'good',
        children: <a href="/dashboard">Sign in</a>,
      });
    showPage(ctx, 200, {
      title: `You are a member of ${invite.workspace_name}`,
      mark: 'good',
      children: (
        <>
          <p>
            Welcome, {name}. Sign in with {invite.email} to book rooms and to see your plan and invoices.
          </p>
          <a class="button" href="/sign-in">
            Sign in
          </a>
        </>
      ),
    });
  };
}
