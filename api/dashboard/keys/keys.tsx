import { listApiKeys, type ApiKeyRow } from '../../../db/repositories/access/api-key-queries.js';
import { listConnectedApplications } from '../../../db/repositories/access/connected-applications.js';
import {
  findBookingMembers,
  type BookingMember,
} from '../../../db/repositories/workspaces/dashboard-queries.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { MAX_DAYS } from '../../api-keys/schema.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { Choices, TextArea, TextField } from '../shared/fields.js';
import { Confirm, Form } from '../shared/form.js';
import { GrantTable } from './grants.js';
import { GRACE_DAYS, pathOf } from './key-actions.js';
import { formatAt } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';

const DEFAULT_DAYS = 90;
const MAX_SHOWN = 200;
/** The preselected scope of a new key: reading the calendar. */
const DEFAULT_SCOPE = { resources: ['calendar'], actions: ['read'] };

const isLive = (key: ApiKeyRow): boolean => !key.revoked_at && key.expires_at > new Date();

function KeyRow({ ctx, apiKey, owner }: { ctx: ApiContext; apiKey: ApiKeyRow; owner?: BookingMember }) {
  const at = (time: Date): string => formatAt(time, ctx.state.membership!.time_zone);
  const action = `${pathOf(ctx)}/${apiKey.id}`;
  return (
    <tr>
      <td>
        <strong>{apiKey.name}</strong>
        <br />
        <span class="soft">acts for {owner ? owner.name : 'an erased member'}</span>
        <br />
        <code class="nowrap">{apiKey.fingerprint}</code>
      </td>
      <td>
        {apiKey.actions.join(', ')}
        <br />
        <span class="soft">
          {apiKey.resources.join(', ')}
          {apiKey.ip_allowlist.length > 0 && <>; from {apiKey.ip_allowlist.join(', ')}</>}
        </span>
      </td>
      <td class="nowrap">
        {apiKey.last_used_at ? `last used ${at(apiKey.last_used_at)}` : 'never used'}
        <br />
        {apiKey.revoked_at
          ? `revoked ${at(apiKey.revoked_at)}`
          : `${isLive(apiKey) ? 'expires' : 'expired'} ${at(apiKey.expires_at)}`}
        {apiKey.previous_expires_at && (
          <>
            <br />
            <span class="soft">previous token valid until {at(apiKey.previous_expires_at)}</span>
          </>
        )}
      </td>
      <td>
        {isLive(apiKey) && (
          <>
            <Confirm ctx={ctx} summary="Rotate" action={`${action}/rotate`} button="Create a new token" once>
              The key gets a new token, which is shown only once. The current token stays valid for{' '}
              {GRACE_DAYS} days.
            </Confirm>
            <Confirm ctx={ctx} summary="Revoke" action={`${action}/revoke`} button="Revoke permanently">
              The key stops working immediately. This cannot be undone.
            </Confirm>
          </>
        )}
      </td>
    </tr>
  );
}

const labelled = (values: readonly string[]) => values.map((value) => [value, value] as const);

/** `GET /dashboard/:workspace/keys`: the API keys of the workspace and a form to create one. */
export function showKeys({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const keys = await listApiKeys(db.manager, { workspace_id, limit: MAX_SHOWN });
    const applications = await listConnectedApplications(db.manager, { workspace_id });
    const owners = await findBookingMembers(db.manager, workspace_id, keys);
    showSection(ctx, {
      title: 'API keys',
      at: '/keys',
      children: (
        <>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th>Key</th>
                  <th>Scope</th>
                  <th>Usage</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {keys.map((key) => (
                  <KeyRow key={key.id} ctx={ctx} apiKey={key} owner={owners.get(key.member_id)} />
                ))}
              </tbody>
            </table>
          </div>
          {applications.length > 0 && <GrantTable ctx={ctx} applications={applications} />}
          <h2>New key</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)} once>
            <p class="soft">The key acts on your behalf and never permits more than your role.</p>
            <TextField name="name" label="Name" required maxLength={200} />
            <TextField
              name="days"
              label="Days until it expires"
              type="number"
              min={1}
              max={MAX_DAYS}
              value={DEFAULT_DAYS}
              required
            />
            <Choices
              name="resources"
              label="resources"
              options={labelled(SCOPE_RESOURCES)}
              chosen={DEFAULT_SCOPE.resources}
            />
            <Choices
              name="actions"
              label="actions"
              options={labelled(SCOPE_ACTIONS)}
              chosen={DEFAULT_SCOPE.actions}
            />
            <TextArea
              name="ip_allowlist"
              label="Allowed IP ranges, one per line; leave empty to allow all"
              rows={2}
              placeholder="192.0.2.0/24"
            />
            <button>Create the key</button>
          </Form>
        </>
      ),
    });
  };
}
