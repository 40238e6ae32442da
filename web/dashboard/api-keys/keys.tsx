import type { ApiDependencies } from '../../../api/dependencies.js';
import { listApiKeys, type ApiKey } from '../../../api/resources/api-keys/operations.js';
import {
  listConnectedApplications,
  type ConnectedApplication,
} from '../../../db/queries/applications/connected-application.js';
import { listOfferedRooms } from '../../../db/queries/booking-page/offered-room.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { CopyLink } from '../../ui/copy.js';
import { createFormats } from '../../ui/formats.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { Empty, Table } from '../shared/list.js';
import { newKey, newSiteKey, replaceToken, revokeGrant, revokeKey } from './key-forms.js';

const MAX_SHOWN = 200;

interface KeysPage {
  keys: ApiKey[];
  applications: ConnectedApplication[];
  owners: Map<string, BookingMember>;
}

async function readKeys(request: PageRequest, deps: ApiDependencies): Promise<KeysPage> {
  const { workspace_id } = request.caller;
  const { manager } = deps.db;
  const { data: keys } = await run(listApiKeys, { query: { limit: MAX_SHOWN } }, request, deps);
  const applications = await listConnectedApplications(manager, { workspace_id });
  return { keys, applications, owners: await findBookingMembers(manager, workspace_id, keys) };
}

const isLive = ({ revoked_at, expires_at }: ApiKey): boolean =>
  !revoked_at && (expires_at === null || new Date(expires_at) > new Date());

function KeyTable({ page }: { page: PageProps<KeysPage> }) {
  const { ctx } = page;
  const { keys, owners } = page.data;
  const { moment: at } = createFormats(ctx);
  return (
    <Table
      rows={keys}
      empty={
        <Empty ctx={ctx} says="A key lets a program use the API for you, such as a door display.">
          <newKey.Opener page={page} />
        </Empty>
      }
      columns={[
        {
          name: 'Key',
          show: ({ id, name, member_id, fingerprint, token, revoked_at }) => (
            <>
              <strong>{name}</strong>
              {token ? (
                <small>publishable</small>
              ) : (
                <small>acts for {owners.get(member_id)?.name ?? 'an erased member'}</small>
              )}
              {token && !revoked_at ? (
                <CopyLink id={id} label={`Key ${name}`} url={token} />
              ) : (
                <code class="nowrap">{fingerprint}</code>
              )}
            </>
          ),
        },
        {
          name: 'Scope',
          show: ({ kind, origins, room_ids, scope: { actions, resources, ip_allowlist } }) =>
            kind === 'publishable' ? (
              <>
                {origins.join(', ')}
                <small>
                  {room_ids ? `${room_ids.length} ${room_ids.length === 1 ? 'room' : 'rooms'}` : 'all rooms'}
                </small>
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
              <small>
                {key.revoked_at
                  ? `revoked ${at(key.revoked_at)}`
                  : key.expires_at === null
                    ? 'does not expire'
                    : `${isLive(key) ? 'expires' : 'expired'} ${at(key.expires_at)}`}
              </small>
              {key.previous_token && (
                <small>previous token valid until {at(key.previous_token.expires_at)}</small>
              )}
            </>
          ),
        },
        {
          name: 'Actions',
          show: (key) =>
            isLive(key) && (
              <div class="actions">
                {key.kind === 'secret' && <replaceToken.InRow page={page} of={{ id: key.id }} />}
                <revokeKey.InRow page={page} of={{ id: key.id }} />
              </div>
            ),
        },
      ]}
    />
  );
}

function GrantTable({ page }: { page: PageProps<KeysPage> }) {
  const { ctx } = page;
  const { moment: at } = createFormats(ctx);
  return (
    <>
      <h2>Connected applications</h2>
      <Table
        rows={page.data.applications.map((grant) => ({ ...grant, id: grant.grant_id }))}
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
            show: ({ grant_id }) => <revokeGrant.InRow page={page} of={{ id: grant_id }} />,
          },
        ]}
      />
    </>
  );
}

function Keys(page: PageProps<KeysPage>) {
  return (
    <>
      <div class="actions head">
        <a class="button quiet" href={pathIn(page.ctx, '/keys/publishable')}>
          New publishable key
        </a>
      </div>
      <KeyTable page={page} />
      {page.data.applications.length > 0 && <GrantTable page={page} />}
    </>
  );
}

export const keys = [
  page({
    path: '/keys',
    capability: 'manage_keys',
    title: 'API keys',
    primary: (page) => <newKey.Drawer page={page} />,
    load: readKeys,
    view: Keys,
    forms: [newKey, replaceToken, revokeKey, revokeGrant],
  }),
  page({
    path: '/keys/publishable',
    at: '/keys',
    capability: 'manage_keys',
    title: 'New publishable key',
    load: ({ caller: { workspace_id } }, { db }) =>
      listOfferedRooms(db.manager, { workspace_id, room_ids: null }),
    view: (props) => <newSiteKey.Open page={props} />,
    forms: [newSiteKey],
  }),
];
