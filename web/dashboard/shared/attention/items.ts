import {
  listAttentionItems,
  type AttentionAbout,
  type AttentionItem,
} from '../../../../db/queries/workspaces/attention.js';
import { listWrongZones, type ZoneInUse } from '../../../../db/queries/time-zones.js';
import { can, type Role } from '../../../../domain/policies.js';
import { workflowIds } from '../../../../contract/names.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import { findRunState, type BookingRunStatus } from './run.js';

const MAX_SHOWN = 50;
const MAX_RUNS_READ = 3;

/** The problems of a workspace, or about one object, according to the database. */
export async function findAttention(
  { db }: ApiDependencies,
  workspaceId: string,
  { failing, ...about }: AttentionAbout = {},
): Promise<AttentionItem[]> {
  const items = await listAttentionItems(db.manager, {
    ...about,
    failing,
    workspace_id: workspaceId,
    limit: MAX_SHOWN,
  });
  if (Object.keys(about).length > 0) return items;
  return [...(await listWrongZones(db.manager, workspaceId)).map(zoneItem), ...items].slice(0, MAX_SHOWN);
}

/**
 * An unsupported time zone. SQL alone cannot find one, because both Postgres and this process must know the
 * zone.
 */
const zoneItem = ({ id, room_name, time_zone, since }: ZoneInUse): AttentionItem => ({
  kind: 'time_zone_wrong',
  object_id: id,
  since,
  reason: `${room_name ?? 'The workspace'}: ${time_zone}`,
  booking_id: null,
  reference: null,
  room_name: null,
  time_zone: null,
  start_at: null,
  end_at: null,
  amount_minor: null,
  currency: null,
  due_by: null,
  mail_kind: null,
  dispute_reason: null,
  dispute_evidence: null,
  payment_id: null,
  refund_id: null,
});

/** The problems of an invoice: those of its booking, or its own. */
export const attentionToInvoice = ({
  id,
  booking_id,
}: {
  id: string;
  booking_id: string | null;
}): AttentionAbout => (booking_id ? { booking_id } : { object_id: id });

/** The problems that a role sees; null for none. */
export function attentionFor(role: Role): AttentionAbout | null {
  if (can(role, 'write_workspace')) return {};
  if (can(role, 'all_bookings')) return { of_bookings: true };
  return can(role, 'read_billing') ? { of_money: true } : null;
}

/**
 * The page of the object that a problem is about, as a path after the workspace's. None for a booking, for
 * roles that see only their own bookings.
 */
export function problemPath({ booking_id, payment_id, object_id }: AttentionItem, role: Role): string | null {
  if (booking_id && can(role, 'all_bookings')) return `/bookings/${booking_id}`;
  if (object_id.startsWith('inv_')) return `/invoices/${object_id}`;
  if (object_id.startsWith('mem_')) return `/members/${object_id}`;
  return payment_id && `/payments/${payment_id}`;
}

/** The run that works on a problem. */
export const problemRunId = ({ refund_id, booking_id }: AttentionItem): string | null =>
  refund_id ? workflowIds.refund(refund_id) : booking_id && workflowIds.booking(booking_id);

/** The state of the runs that work on the problems of one object, by their ids. */
export async function readStates(
  deps: ApiDependencies,
  items: AttentionItem[],
): Promise<ReadonlyMap<string, BookingRunStatus>> {
  const runs = [...new Set(items.map(problemRunId).filter((run) => run !== null))].slice(0, MAX_RUNS_READ);
  return new Map(await Promise.all(runs.map(async (run) => [run, await findRunState(deps, run)] as const)));
}
