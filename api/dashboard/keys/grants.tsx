import { revokeApiKeys } from '../../../db/repositories/access/api-keys.js';
import type { ConnectedApplication } from '../../../db/repositories/access/connected-applications.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { Confirm } from '../shared/form.js';
import { pathOf } from './key-actions.js';
import { formatAt } from '../shared/layout.js';

/** The applications that act for members of the workspace. */
export function GrantTable({ ctx, applications }: { ctx: ApiContext; applications: ConnectedApplication[] }) {
  const at = (time: Date): string => formatAt(time, ctx.state.membership!.time_zone);
  return (
    <>
      <h2>Connected applications</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Application</th>
              <th>Scope</th>
              <th>Usage</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {applications.map((grant) => (
              <tr key={grant.grant_id}>
                <td>
                  <strong>{grant.application}</strong>
                  <br />
                  <span class="soft">acts for {grant.member_name}</span>
                </td>
                <td>{grant.scopes.join(', ')}</td>
                <td class="nowrap">
                  {grant.last_used_at ? `last used ${at(grant.last_used_at)}` : 'never used'}
                  <br />
                  <span class="soft">since {at(grant.created_at)}</span>
                </td>
                <td>
                  <Confirm
                    ctx={ctx}
                    summary="Revoke"
                    action={`${pathOf(ctx)}/grants/${grant.grant_id}/revoke`}
                    button="Revoke its access"
                  >
                    The application can no longer act for this member, until they grant it access again.
                  </Confirm>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Revokes the access that a member of the workspace granted to an application. */
export function revokeGrantFromPage({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const only = { oauth_grant_id: ctx.params.id!.replaceAll('\0', '') };
    await transaction(db, (tx) => revokeApiKeys(tx, ctx.state.principal, only, 'revoked_by_member'));
    ctx.redirect(pathOf(ctx));
  };
}
