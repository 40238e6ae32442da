import type { BookingStatus } from '../../../domain/states.js';
import type { Booking } from '../../rows.js';
import { containsWords, GUEST_TEXT, PROFILE_TEXT, type Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';

/** A booking's row with its room's name and time zone. */
export type BookingRow = Booking & { room_name: string; time_zone: string };

const WITH_ROOM = `SELECT b.*, r.name AS room_name, r.time_zone FROM bookings b JOIN rooms r ON r.id = b.room_id`;

/** A published booking of a workspace, or null. */
export async function findBooking(tx: Tx, workspaceId: string, id: string): Promise<BookingRow | null> {
  const rows = await tx.query(
    `${WITH_ROOM} WHERE b.id = $1 AND b.workspace_id = $2 AND b.published_at IS NOT NULL`,
    [id, workspaceId],
  );
  return rows[0] ?? null;
}

/** A booking by id alone, published or not; for the workflow that owns it. */
export async function findBookingById(tx: Tx, id: string): Promise<BookingRow | null> {
  const rows = await tx.query(`${WITH_ROOM} WHERE b.id = $1`, [id]);
  return rows[0] ?? null;
}

/** A booking by id, locked until the transaction ends: whoever changes a booking holds this first. */
export async function lockBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const rows = await tx.query(`${WITH_ROOM} WHERE b.id = $1 FOR NO KEY UPDATE OF b`, [id]);
  return rows[0] ?? null;
}

export interface BookingFilter {
  workspace_id: string;
  from: Date;
  to: Date;
  status?: BookingStatus;
  room_id?: string;
  member_id?: string;
  company_id?: string;
  /** The caller, where they see no bookings but their own. */
  only_of?: string;
  /** Words of the guest's or member's name or mail address. */
  q?: string;
  /** The last row of the page before. */
  after?: { start_at: string; id: string };
  limit: number;
}

/** Published bookings whose start lies in `[from, to)`, by start and id (decisions.md, "Bookings"). */
export async function listBookings(tx: Tx, filter: BookingFilter): Promise<BookingRow[]> {
  const values: unknown[] = [filter.workspace_id, filter.from, filter.to];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [
    'b.workspace_id = $1',
    'b.published_at IS NOT NULL',
    'b.start_at >= $2',
    'b.start_at < $3',
  ];
  for (const column of ['status', 'room_id', 'member_id', 'company_id'] as const) {
    if (filter[column] !== undefined) conditions.push(`b.${column} = ${bind(filter[column])}`);
  }
  if (filter.only_of !== undefined) conditions.push(`b.member_id = ${bind(filter.only_of)}`);
  if (filter.q !== undefined) conditions.push(bookedBy(filter.q, bind));
  if (filter.after) {
    const { start_at, id } = filter.after;
    conditions.push(`(b.start_at, b.id) > (${bind(start_at)}::timestamptz, ${bind(id)})`);
  }
  const where = conditions.join(' AND ');
  return tx.query(
    `${WITH_ROOM} WHERE ${where} ORDER BY b.start_at, b.id LIMIT ${bind(filter.limit)}`,
    values,
  );
}

/** The members are found first, as an array: so each half of the condition has an index to itself. */
function bookedBy(q: string, bind: Bind): string {
  return `(${containsWords(GUEST_TEXT, q, bind)} OR b.member_id = ANY (ARRAY(
    SELECT m.id FROM members m JOIN profiles p ON p.id = m.profile_id
    WHERE m.workspace_id = $1 AND ${containsWords(PROFILE_TEXT, q, bind)})))`;
}
