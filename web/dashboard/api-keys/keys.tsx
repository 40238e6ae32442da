import { listApiKeys, type ApiKeyRow } from '../../../db/queries/api-keys/api-key.js';
import { listConnectedApplications } from '../../../db/queries/applications/connected-application.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { createSchema, MAX_DAYS } from '../../../api/resources/api-keys/shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { CopyLink } from '../../ui/copy.js';
import { ACTION_NAMES, RESOURCE_NAMES } from '../../ui/scopes.js';
import { Choices, TextArea, TextField } from '../shared/fields.js';
import { Confirm, Form } from '../shared/form.js';
import { GrantTable } from './grants.js';
import { GRACE_DAYS, pathOf } from './key-actions.js';
import { formatsOf } from '../../ui/formats.js';
import { Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { inputOf } from '../shared/declared-fields.js';

const DEFAULT_DAYS = 90;
const MAX_SHOWN = 200;
/** The preselected scope of a new key: reading the calendar. */
const DEFAULT_SCOPE = { resources: ['calendar'], actions: ['read'] };

const isLive = (key: ApiKeyRow): boolean => !key.revoked_at && key.expires_at > new Date();

/** The API keys of the workspace with the members they act for. */
function KeyTable(props: { ctx: ApiContext; keys: ApiKeyRow[]; owners: Map<string, BookingMember> }) {
  const { ctx, keys, owners } = props;
  const { moment: at } = formatsOf(ctx);
  return (
    <Table
      rows={keys}
      empty="No keys."
      columns={[
        {
          name: 'Key',
          show: ({ id, name, member_id, fingerprint, public_token, revoked_at }) => (
            <>
              <strong>{name}</strong>
              {public_token ? (
                <small>for a web site</small>
              ) : (
                <small>acts for {owners.get(member_id)?.name ?? 'an erased member'}</small>
              )}
              {public_token && !revoked_at ? (
                <CopyLink id={id} label={`Key ${name}`} url={public_token} />
              ) : (
                <code class="nowrap">{fingerprint}</code>
              )}
            </>
          ),
        },
        {
          name: 'Scope',
          show: ({ kind, origins, room_ids, actions, resources, ip_allowlist }) =>
            kind === 'publishable' ? (
              <>
                {origins.join(', ')}
                <small>{room_ids ? `${room_ids.length} of the rooms` : 'all rooms'}</small>
              </>
            ) : (
              <>
                {actions.join(', ')}
                <small>
                  {resources.join(', ')}
                  {ip_allowlist.length > 0 && <>; from {ip_allowlist.join(', ')}</>}
                </small>
              </>
            ),
        },
        {
          name: 'Usage',
          show: (key) => (
            <>
              {key.last_used_at ? `last used ${at(key.last_used_at)}` : 'never used'}
              <br />
              {key.revoked_at
                ? `revoked ${at(key.revoked_at)}`
                : key.kind === 'publishable'
                  ? 'does not expire'
                  : `${isLive(key) ? 'expires' : 'expired'} ${at(key.expires_at)}`}
              {key.previous_expires_at && (
                <small>previous token valid until {at(key.previous_expires_at)}</small>
              )}
            </>
          ),
        },
        { name: 'Actions', show: (key) => isLive(key) && <KeyActions ctx={ctx} of={key} /> },
      ]}
    />
  );
}

function KeyActions({ ctx, of: { id, kind } }: { ctx: ApiContext; of: ApiKeyRow }) {
  const action = `${pathOf(ctx)}/${id}`;
  return (
    <>
      {kind === 'secret' && (
        <Confirm ctx={ctx} summary="Replace token" action={`${action}/rotate`} button="Replace token" once>
          The key gets a new token, which is shown only once. The current token stays valid for {GRACE_DAYS}{' '}
          days.
        </Confirm>
      )}
      <Confirm ctx={ctx} summary="Revoke" action={`${action}/revoke`} button="Revoke key" rare>
        The key stops working immediately. This cannot be undone.
      </Confirm>
    </>
  );
}

const labelled = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
  values.map(
    (value) =>
      [
        value,
        `${value}: ${names[value].replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`,
      ] as const,
  );

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
          <KeyTable ctx={ctx} keys={keys} owners={owners} />
          {applications.length > 0 && <GrantTable ctx={ctx} applications={applications} />}
          <h2>New key</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)} once>
            <p class="soft">
              The key acts on your behalf and never has more permissions than your role. It must stay secret:
              a web site needs <a href={`${pathOf(ctx)}/publishable`}>a key of another kind</a>.
            </p>
            <TextField {...inputOf(createSchema, 'name')} label="Name" />
            <TextField
              name="days"
              label="Expires after (days)"
              type="number"
              min={1}
              max={MAX_DAYS}
              value={DEFAULT_DAYS}
              required
            />
            <Choices
              name="resources"
              label="resources"
              options={labelled(SCOPE_RESOURCES, RESOURCE_NAMES)}
              chosen={DEFAULT_SCOPE.resources}
            />
            <Choices
              name="actions"
              label="actions"
              options={labelled(SCOPE_ACTIONS, { ...ACTION_NAMES, invite: 'Invite new members' })}
              chosen={DEFAULT_SCOPE.actions}
            />
            <TextArea
              name="ip_allowlist"
              label="Allowed IP ranges, one per line (blank = any)"
              rows={2}
              placeholder="192.0.2.0/24"
            />
            <button>Create key</button>
          </Form>
        </>
      ),
    });
  };
}
