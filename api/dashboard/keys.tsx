import { type ApiKeyRow, listApiKeys } from '../../db/repositories/access/api-key-queries.js';
import {
  type BookingMember,
  findBookingMembers,
} from '../../db/repositories/workspaces/dashboard-queries.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext, Handler } from '../http/context.js';
import { Choices, TextArea, TextField } from './fields.js';
import { Confirm, Form } from './form.js';
import { GRACE_DAYS, MAX_DAYS, pathOf } from './key-actions.js';
import { formatAt } from './layout.js';
import { showSection } from './workspace.js';

const DEFAULT_DAYS = 90;
const MOST_SHOWN = 200;
/** What a new key may where nobody says otherwise: look at the calendar. */
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
        <span class="soft">acts for {owner ? owner.name : 'someone who was erased'}</span>
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
          : `${isLive(apiKey) ? 'ends' : 'ended'} ${at(apiKey.expires_at)}`}
        {apiKey.previous_expires_at && (
          <>
            <br />
            <span class="soft">token before: until {at(apiKey.previous_expires_at)}</span>
          </>
        )}
      </td>
      <td>
        {isLive(apiKey) && (
          <>
            <Confirm ctx={ctx} offer="Rotate" action={`${action}/rotate`} button="Make a new token" once>
              It gets a new token, which is shown once. The one it has works for {GRACE_DAYS} days more.
            </Confirm>
            <Confirm ctx={ctx} offer="Revoke" action={`${action}/revoke`} button="Revoke it for good">
              Whatever uses it stops at once. This cannot be undone.
            </Confirm>
          </>
        )}
      </td>
    </tr>
  );
}

const called = (values: readonly string[]) => values.map((value) => [value, value] as const);

/** The workspace's API keys, and a form for one more (spec.md, "Authentication", 3). */
export function showKeys({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const keys = await listApiKeys(db.manager, { workspace_id, limit: MOST_SHOWN });
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
                  <th>May</th>
                  <th>Use</th>
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
          <h2>New key</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)} once>
            <p class="soft">It acts for you, and never beyond your role.</p>
            <TextField name="name" label="Name" required maxLength={200} />
            <TextField
              name="days"
              label="Days until it ends"
              type="number"
              min={1}
              max={MAX_DAYS}
              value={DEFAULT_DAYS}
              required
            />
            <Choices
              name="resources"
              label="resources"
              options={called(SCOPE_RESOURCES)}
              chosen={DEFAULT_SCOPE.resources}
            />
            <Choices
              name="actions"
              label="actions"
              options={called(SCOPE_ACTIONS)}
              chosen={DEFAULT_SCOPE.actions}
            />
            <TextArea
              name="ip_allowlist"
              label="Only from these addresses, one range a line; none: from anywhere"
              rows={2}
              placeholder="192.0.2.0/24"
            />
            <button>Make the key</button>
          </Form>
        </>
      ),
    });
  };
}
