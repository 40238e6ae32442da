import joi from 'joi';
import { findKeyNames, listApiKeys } from '../../../db/queries/api-keys/api-key.js';
import { listStaff } from '../../../db/queries/members/member.js';
import { listAuditLog, type AuditRow } from '../../../db/queries/audit-log/audit.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isEntryId, listAuditLog as apiList } from '../../../api/resources/audit-log/operations.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { Id } from '../shared/id.js';
import { createFormats, sentenceCase } from '../../ui/formats.js';
import {
  ExportButton,
  DAYS,
  Empty,
  Filter,
  listFields,
  readPage,
  Pager,
  readRange,
  Table,
  type ListQuery,
} from '../shared/list.js';
import { pathOfObjectId } from '../shared/object-path.js';
import { Details } from './details.js';

const MAX_KEYS = 100;

export const ACTIONS = [
  'api_key.created',
  'api_key.narrowed',
  'api_key.revoked',
  'api_key.rotated',
  'audit_log.erased',
  'blackout.created',
  'blackout.deleted',
  'booking.cancelled',
  'booking.change_withdrawn',
  'booking.created',
  'booking.details_changed',
  'booking.extras_changed',
  'booking.guest_corrected',
  'booking.manage_link_rotated',
  'invoice.pay_link_rotated',
  'booking.marked_no_show',
  'booking.message_sent',
  'day.message_sent',
  'booking.moved',
  'booking.payment_taken',
  'booking_page.updated',
  'card.removed',
  'card.saved',
  'company.created',
  'company.updated',
  'database.behind',
  'feed.created',
  'feed.deleted',
  'discount.created',
  'discount.updated',
  'extra.created',
  'extra.updated',
  'guest.erased',
  'invoice.adjusted',
  'invoice.created',
  'invoice.marked_paid',
  'invoice.number_given_twice',
  'invoice.reference_repaired',
  'invoice.updated',
  'invoice.voided',
  'job.run',
  'mail.held',
  'mail.released',
  'member.archived',
  'member.created',
  'member.deleted',
  'member.invited',
  'member.tier_changed',
  'member.updated',
  'oauth_client.created',
  'oauth_client.deleted',
  'oauth_grant.created',
  'oauth_grant.revoked',
  'payment.refunded',
  'payment.verified',
  'recovery_codes.created',
  'passkey.added',
  'passkey.removed',
  'room.created',
  'room.rates_changed',
  'room.updated',
  'second_factor.enrolled',
  'second_factor.reset',
  'session.created',
  'sso.forgotten',
  'sso.refused',
  'sso.tested',
  'sso.updated',
  'webhook_endpoint.created',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.updated',
  'workspace.created',
  'workspace.ownership_transferred',
  'workspace.updated',
];

export const auditLogQuery = joi.object({
  action: text(100).allow(''),
  actor: text(64).allow(''),
  ...listFields,
});

interface Query extends ListQuery {
  action?: string;
  actor?: string;
}

/** Labels of actions for which the name itself is not a good label. */
const SAID: Record<string, string> = {
  'second_factor.enrolled': 'Two-step verification set up',
  'second_factor.reset': 'Two-step verification reset',
  'session.created': 'Signed in',
  'sso.forgotten': 'Single sign-on: account unlinked',
  'sso.refused': 'Single sign-on: sign-in rejected',
  'sso.tested': 'Single sign-on: test',
  'sso.updated': 'Single sign-on: settings changed',
  'booking.marked_no_show': 'Booking marked as no-show',
  'feed.created': 'Calendar address created',
  'feed.deleted': 'Calendar address deleted',
  'api_key.rotated': 'API key: token replaced',
  'webhook_endpoint.secret_rotated': 'Webhook signing secret replaced',
  'booking.manage_link_rotated': 'Booking page’s link replaced',
  'invoice.pay_link_rotated': 'Payment link replaced',
  'oauth_client.created': 'Application registered',
  'oauth_client.deleted': 'Application deleted',
  'oauth_grant.created': 'Application given access',
  'oauth_grant.revoked': 'Application’s access revoked',
};

/** `invoice.marked_paid` → `Invoice marked paid`. */
const actionLabel = (action: string): string =>
  SAID[action] ??
  sentenceCase(action.replace('.', ' '))
    .replace(/^Api\b/, 'API')
    .replace(/^Oauth\b/, 'OAuth');

/** The page of the object of an entry, by its id or its action; null if it has none. */
function pathOfObject({ action, object, details }: AuditRow): string | null {
  const path = pathOfObjectId(object);
  if (path) return path;
  if (action.startsWith('room.')) return `/rooms/${object}`;
  if (action.startsWith('extra.')) return `/extras/${object}`;
  if (action.startsWith('discount.')) return `/discounts/${object}`;
  if (action.startsWith('company.')) return `/companies/${object}`;
  return action.startsWith('blackout.') ? `/rooms/${String(details.room_id)}` : null;
}

function Actor(props: {
  ctx: ApiContext;
  entry: AuditRow;
  members: Map<string, BookingMember>;
  keys: Map<string, string>;
}) {
  const { ctx, entry, members, keys } = props;
  if ('system' in entry.actor)
    return (
      <span class="soft">
        the service ({sentenceCase(entry.actor.system)}
        {entry.actor.operator && `: ${entry.actor.operator}`})
      </span>
    );
  if ('guest' in entry.actor) return <>someone with the manage link</>;
  const { member_id, key_id } = entry.actor;
  const name = members.get(member_id)?.name;
  return (
    <>
      {name ? <a href={pathIn(ctx, `/members/${member_id}`)}>{name}</a> : 'a former member'}
      {key_id && (
        <small>
          with the key <a href={`?actor=${key_id}`}>{keys.get(key_id) ?? key_id}</a>
        </small>
      )}
    </>
  );
}

/** The entries that the query of a page or an export asks for. */
export function readAuditFilter(ctx: ApiContext) {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { action, actor, ...range } = ctx.state.query as Query;
  const filter = validate(apiList.query!, { ...(actor && { actor }) }, true);
  return {
    workspace_id,
    action: action || undefined,
    actor: filter.actor,
    ...readRange(range, time_zone),
  };
}

export const actingMember = ({ actor }: AuditRow): { member_id: string | null } => ({
  member_id: 'member_id' in actor ? actor.member_id : null,
});

async function readLog({ ctx, caller: { workspace_id } }: PageRequest, { db }: ApiDependencies) {
  const filter = readAuditFilter(ctx);
  const { rows, next } = await readPage(ctx, isEntryId, 'at', (page) =>
    listAuditLog(db.manager, { ...filter, ...page }),
  );
  const [staff, liveKeys, keys, members] = await Promise.all([
    listStaff(db.manager, workspace_id),
    listApiKeys(db.manager, { workspace_id, limit: MAX_KEYS }),
    findKeyNames(
      db.manager,
      workspace_id,
      rows.flatMap(({ actor }) => ('key_id' in actor && actor.key_id) || []),
    ),
    findBookingMembers(db.manager, workspace_id, rows.map(actingMember)),
  ]);
  return { rows, next, staff, liveKeys, keys, members };
}

function AuditLog({ ctx, data }: PageProps<Awaited<ReturnType<typeof readLog>>>) {
  const { rows, next, staff, liveKeys, keys, members } = data;
  const { moment } = createFormats(ctx);
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'action', label: 'Action', options: ACTIONS.map((each) => [each, actionLabel(each)]) },
          {
            name: 'actor',
            label: 'By',
            options: [
              ['system', 'the service'],
              ['guest', 'someone with a manage link'],
              ...staff.map(({ id, name }) => [id, name] as const),
              ...liveKeys.map(({ id, name }) => [id, `${name} (API key)`] as const),
            ],
          },
          ...DAYS,
        ]}
      >
        <ExportButton ctx={ctx} path="/audit-log.csv">
          Export CSV
        </ExportButton>
      </Filter>
      <Table
        rows={rows}
        empty={
          <Empty ctx={ctx} says="Changes of money, rights and settings appear here, such as a refund." />
        }
        columns={[
          { name: 'Action', show: (entry) => actionLabel(entry.action) },
          {
            name: 'By',
            show: (entry) => <Actor ctx={ctx} entry={entry} members={members} keys={keys} />,
          },
          { name: 'When', show: ({ at }) => <span class="soft nowrap">{moment(at)}</span> },
          {
            name: 'Object',
            show: (entry) => {
              const path = pathOfObject(entry);
              return path ? (
                <a href={pathIn(ctx, path)}>
                  <Id of={entry.object} />
                </a>
              ) : (
                <Id of={entry.object} />
              );
            },
          },
          { name: 'Details', show: ({ details }) => <Details ctx={ctx} details={details} /> },
        ]}
      />
      <Pager ctx={ctx} next={next} />
    </>
  );
}

/** High-value changes by action, actor and date, newest first. */
export const auditLog = [
  page({
    path: '/audit-log',
    capability: 'read_audit_log',
    query: auditLogQuery,
    title: 'Audit log',
    load: readLog,
    view: AuditLog,
  }),
];
