import { revokeApiKeys } from '../../../commands/api-keys/api-keys.js';
import type { ConnectedApplication } from '../../../db/queries/applications/connected-application.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { Confirm } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { pathOf } from './key-actions.js';
import { formatsOf } from '../../ui/formats.js';
import { Table } from '../shared/list.js';

/** The applications that act for members of the workspace. */
export function GrantTable({ ctx, applications }: { ctx: ApiContext; applications: ConnectedApplication[] }) {
  const { moment: at } = formatsOf(ctx);
  return (
    <>
      <h2>Connected applications</h2>
      <Table
        rows={applications.map((grant) => ({ ...grant, id: grant.grant_id }))}
        empty=""
        columns={[
          {
            name: 'Application',
            show: ({ application, member_name }) => (
              <>
                <strong>{application}</strong>
                <small>acts for {member_name}</small>
              </>
            ),
          },
          { name: 'Scope', show: ({ scopes }) => scopes.join(', ') },
          {
            name: 'Usage',
            show: ({ last_used_at, created_at }) => (
              <>
                {last_used_at ? `last used ${at(last_used_at)}` : 'never used'}
                <small>since {at(created_at)}</small>
              </>
            ),
          },
          {
            name: 'Actions',
            show: ({ grant_id }) => (
              <Confirm
                ctx={ctx}
                summary="Revoke"
                action={`${pathOf(ctx)}/grants/${grant_id}/revoke`}
                button="Revoke access"
                rare
              >
                The application can no longer act for this member until they grant access again.
              </Confirm>
            ),
          },
        ]}
      />
    </>
  );
}

/** Revokes the access that a member of the workspace granted to an application. */
export function revokeGrantFromPage({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const only = { oauth_grant_id: ctx.params.id!.replaceAll('\0', '') };
    await transaction(db, (tx) => revokeApiKeys(tx, ctx.state.principal, only, 'revoked_by_member'));
    redirectWithNotice(ctx, pathOf(ctx), 'Access revoked.');
  };
}
