import joi from 'joi';
import { findMembership, type Membership } from '../../db/queries/members/membership.js';
import { confirmOwnAddress, requestOwnAddress } from '../../commands/members/own-address.js';
import { ADDRESS_LINK_HOURS } from '../../commands/members/requested-addresses.js';
import { findRequestedAddress, type RequestedAddress } from '../../db/queries/members/invite.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { entersFreely, mustSignInThere } from './single-sign-on/membership.js';
import { toPrincipal } from '../ui/principal.js';
import { email, text } from '../../api/http/fields.js';
import { showPage } from '../ui/layout.js';
import { PageError } from '../ui/browser.js';
import { hasLeftToken, noCookie, readGivenToken } from '../ui/link-session.js';
import { Form } from '../ui/forms.js';
import { OwnCode, ownCodeFields, proofFields, requiredCode } from './proof.js';

export const addressFields = {
  workspace: text(100).required(),
  email: email.required(),
  email_again: joi.string().required(),
  ...ownCodeFields,
  ...proofFields,
};

/** The form to change the address of one of the person's memberships. */
export function AddressForm({
  session,
  memberships,
}: {
  session: BrowserSession;
  memberships: Membership[];
}) {
  return (
    <details>
      <summary>Change email address</summary>
      <Form action="/account/email" session={session}>
        <label for="workspace">Workspace</label>
        <select id="workspace" name="workspace">
          {memberships.map(({ workspace_id, workspace_name }) => (
            <option key={workspace_id} value={workspace_id}>
              {workspace_name}
            </option>
          ))}
        </select>
        <label for="email">New email address</label>
        <input id="email" name="email" type="email" required maxLength={254} autocomplete="email" />
        <label for="email_again">Confirm new email address</label>
        <input id="email_again" name="email_again" type="email" required maxLength={254} autocomplete="off" />
        <OwnCode session={session} />
        <p>
          We’ll email a link to the new address. Once you confirm it, your API keys and connected applications
          in this workspace stop working. You then sign in with the new address and set up two-step
          verification for it.
        </p>
        <button>Send link</button>
      </Form>
    </details>
  );
}

/**
 * `POST /account/email`: requests another address for the person's membership in a workspace. People with an
 * authenticator enter a code in the same form, others with a passkey use that. The change takes effect when
 * the link that is mailed to the new address is used (docs/rules/members.md#changes-of-address).
 */
export function requestEmail(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const form = ctx.state.body as { workspace: string; email: string; email_again: string; code?: string };
    if (form.email !== form.email_again.trim())
      throw new PageError(422, 'The addresses don’t match', 'Enter the same new address twice.');
    const membership = await findMembership(deps.db.manager, session.profile_id, form.workspace);
    if (!membership) throw new PageError(404, 'Workspace not found', 'You are not a member of it.');
    if (mustSignInThere(ctx, membership)) return;
    const own = toPrincipal(session.profile_id, membership);
    const code = session.has_second_factor ? requiredCode(session, form.code) : null;
    const isPending = await requestOwnAddress(deps, own, form.email, code);
    if (!isPending) return showChanged(ctx, membership.workspace_name, form.email);
    showPage(ctx, 200, {
      title: 'Check your email',
      mark: 'waiting',
      children: (
        <>
          <p>
            We’ve sent a link to <strong>{form.email}</strong>. Open it in this browser within{' '}
            {ADDRESS_LINK_HOURS} hours. Until then {membership.workspace_name} uses your current address.
          </p>
          <a class="button" href="/account">
            Continue
          </a>
        </>
      ),
    });
  };
}

function showChanged(ctx: ApiContext, workspaceName: string, email: string): void {
  showPage(ctx, 200, {
    title: 'Your email address has been changed',
    mark: 'good',
    children: (
      <>
        <p>
          {workspaceName} now uses <strong>{email}</strong>.
        </p>
        <a class="button" href="/account">
          Continue
        </a>
      </>
    ),
  });
}

/**
 * The requested address of the link, with the caller in its workspace. Only the person who requested it can
 * confirm it: the recipient of a mistyped address cannot. Errors: 410.
 */
async function requireAddressRequest(
  ctx: ApiContext,
  deps: ApiDependencies,
): Promise<{ request: RequestedAddress; caller: Principal }> {
  const { profile_id } = ctx.state.session!;
  const { db, inviteLinks } = deps;
  const given = readGivenToken(ctx, deps);
  if (!given) throw new PageError(410, 'Open the link in your email', noCookie());
  const id = inviteLinks.read(given.token);
  const request = id && (await findRequestedAddress(db.manager, id));
  const membership =
    request && request.profile_id === profile_id
      ? await findMembership(db.manager, profile_id, request.workspace_id)
      : null;
  // A person who must sign in through a provider cannot move a membership to another address by email.
  if (!request || !membership || !entersFreely(ctx.state.session!, membership))
    throw new PageError(
      410,
      'This link is no longer valid',
      'It has expired or has already been used, or you are signed in as someone else. Request the change ' +
        'again on your account page.',
    );
  return { request, caller: toPrincipal(profile_id, membership) };
}

/**
 * The first step of `GET /account/email/:token`, before the sign-in, so that the address to return to has no
 * token.
 */
export function leaveAddressToken(deps: ApiDependencies): Handler {
  return async (ctx, next) => {
    const given = readGivenToken(ctx, deps);
    const id = given && deps.inviteLinks.read(given.token);
    if (!given || !id || !hasLeftToken(ctx, deps, `/account/email/${id}`, given)) await next();
  };
}

/**
 * `GET /account/email/:token` asks for confirmation and changes nothing, because mail clients open links too.
 */
export function showRequestedEmail(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { request } = await requireAddressRequest(ctx, deps);
    showPage(ctx, 200, {
      title: 'Confirm your new email address',
      children: (
        <Form action={`/account/email/${ctx.params.token!}`} session={ctx.state.session!}>
          <p>
            {request.workspace_name} will use <strong>{request.new_email}</strong> instead of{' '}
            <strong>{request.email}</strong>. Your API keys and connected applications in this workspace stop
            working, and you sign in again with the new address.
          </p>
          <button>Change email address</button>
        </Form>
      ),
    });
  };
}

/** `POST /account/email/:token` changes the address. Errors: 409 `member_exists`, 410. */
export function confirmEmail(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { request, caller } = await requireAddressRequest(ctx, deps);
    if (!(await confirmOwnAddress(deps.db, caller, request.id)))
      throw new PageError(410, 'This link is no longer valid', 'It has already been used.');
    showChanged(ctx, request.workspace_name, request.new_email);
  };
}
