import { withdrawGrant } from '../../commands/applications/clients.js';
import {
  listConnectedApplications,
  type ConnectedApplication,
} from '../../db/queries/applications/connected-application.js';
import { findMembership } from '../../db/queries/members/membership.js';
import { formatDay } from '../../domain/display.js';
import { toPrincipal } from '../ui/principal.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { BrowserSession, Handler } from '../../api/http/context.js';
import { text } from '../../api/http/fields.js';
import { describeScope } from '../ui/scopes.js';
import type { Scope } from '../../domain/policies.js';
import { PageError } from '../ui/browser.js';
import { Form } from '../ui/forms.js';

export const withdrawFields = { grant: text(100).required() };

/** The applications that act for a person, each with a button to withdraw its access. */
export function ConnectedApplications(props: {
  session: BrowserSession;
  applications: ConnectedApplication[];
}) {
  return (
    <section>
      <h2>Connected applications</h2>
      {props.applications.map(
        ({ grant_id, application, workspace_name, scopes, created_at, last_used_at }) => (
          <div key={grant_id} class="application">
            <strong>{application}</strong> in {workspace_name}
            <ul>
              {scopes.map((scope) => (
                <li key={scope}>{describeScope(scope as Scope)}</li>
              ))}
            </ul>
            <p>
              Since {formatUtcDay(created_at)},{' '}
              {last_used_at ? `last used ${formatUtcDay(last_used_at)}` : 'never used'}
            </p>
            <Form action="/account/applications/withdraw" session={props.session}>
              <input type="hidden" name="grant" value={grant_id} />
              <button class="quiet">Revoke access</button>
            </Form>
          </div>
        ),
      )}
    </section>
  );
}

/** A day in UTC: the page belongs to no workspace with a time zone. */
const formatUtcDay = (at: Date): string => formatDay(at, 'UTC', new Date());

/**
 * `POST /account/applications/withdraw`: revokes a grant of the person
 * (docs/rules/credentials.md#connected-applications).
 */
export function withdrawAccess({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { profile_id } = ctx.state.session!;
    const { grant } = ctx.state.body as { grant: string };
    const granted = await listConnectedApplications(db.manager, { profile_id });
    const found = granted.find(({ grant_id }) => grant_id === grant);
    const membership = found && (await findMembership(db.manager, profile_id, found.workspace_id));
    if (!membership)
      throw new PageError(404, 'Application not found', 'Its access has already been revoked.');
    const by = toPrincipal(profile_id, membership);
    await withdrawGrant(db, by, { member_id: by.member_id, oauth_grant_id: grant });
    ctx.redirect('/account');
  };
}
