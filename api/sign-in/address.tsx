import joi from 'joi';
import { findMembership, type Membership } from '../../db/repositories/members/membership-queries.js';
import { changeOwnAddress } from '../../db/repositories/members/own-address.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import { ApiError } from '../../domain/errors.js';
import type { BrowserSession, Handler } from '../http/context.js';
import { principalOf } from '../dashboard/shared/principal.js';
import { email, text } from '../http/fields.js';
import { showPage } from '../pages/layout.js';
import { PageError } from './browser.js';
import { REJECTIONS } from './code.js';
import { CodeField, Form } from './forms.js';
import { checkCode } from './second-factor.js';

export const addressFields = {
  workspace: text(100).required(),
  email: email.required(),
  email_again: joi.string().required(),
  code: text(40).trim().min(1),
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
      <summary>Change my email address</summary>
      <Form action="/account/email" session={session}>
        <label for="workspace">In the workspace</label>
        <select id="workspace" name="workspace">
          {memberships.map(({ workspace_id, workspace_name }) => (
            <option key={workspace_id} value={workspace_id}>
              {workspace_name}
            </option>
          ))}
        </select>
        <label for="email">New email address</label>
        <input id="email" name="email" type="email" required maxLength={254} autocomplete="email" />
        <label for="email_again">New email address again</label>
        <input id="email_again" name="email_again" type="email" required maxLength={254} autocomplete="off" />
        {session.has_second_factor && <CodeField label="Code from your authenticator, or a recovery code" />}
        <p>
          Your API keys and connected applications in this workspace stop working. You then sign in with the
          new address, and set up an authenticator for it.
        </p>
        <button>Change the address</button>
      </Form>
    </details>
  );
}

/**
 * `POST /account/email`: changes the address of the person's membership in a workspace. People with an authenticator,
 * such as every owner and admin, must enter a code of it in the same form (docs/rules/members.md#changes-of-address).
 */
export function changeEmail(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const form = ctx.state.body as { workspace: string; email: string; email_again: string; code?: string };
    if (form.email !== form.email_again.trim())
      throw new PageError(422, 'The addresses differ', 'Enter the same new address twice.');
    const membership = await findMembership(deps.db.manager, session.profile_id, form.workspace);
    if (!membership) throw new PageError(404, 'No such workspace', 'You are not a member of it.');
    const change = (tx: Tx): Promise<void> =>
      changeOwnAddress(tx, principalOf(session.profile_id, membership), form.email);
    if (session.has_second_factor) {
      const outcome = await checkCode(deps, session.profile_id, form.code ?? '', change);
      if (outcome !== 'accepted')
        throw new ApiError('validation_failed', REJECTIONS[outcome], { param: 'code' });
    } else await transaction(deps.db, change);
    showPage(ctx, 200, {
      title: 'Your address is changed',
      mark: 'good',
      children: (
        <>
          <p>
            {membership.workspace_name} now uses <strong>{form.email}</strong>. We have sent a link there to
            confirm it.
          </p>
          <a class="button" href="/account">
            Continue
          </a>
        </>
      ),
    });
  };
}
