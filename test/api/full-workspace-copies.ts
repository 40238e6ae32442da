import { DAY_MS } from '../../domain/durations.js';
import type { ObjectIds } from '../support/objects.js';

/** Copies of an object's row, numbered by `n` from 1. Values are SQL over `o`, the original. */
export interface Copies {
  of: string;
  /** The column of `of`; by default its id. */
  by?: string;
  times: number;
  set: Record<string, string>;
}

/** A new id for a copy, which is the same for the same `n`. */
const id = (prefix: string, of = 'o.id'): string =>
  `'${prefix}_0' || left(md5('${prefix}' || ${of} || n), 25)`;
const copiedRoomId = (n: string): string => `md5(o.workspace_id || 'room' || (${n}))::uuid`;
const reference = `translate(lpad(n::text, 7, '0'), '0123456789', 'BCDFGHJKLM')`;
const at = (start: string, minutes: number): Record<string, string> => ({
  start_at: start,
  end_at: `${start} + interval '${minutes} minutes'`,
  occupies: `tstzrange(${start}, ${start} + interval '${minutes} minutes')`,
});

/** The fully booked day, in UTC. */
export const FULL_DAY = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS);

/** Rooms added to those of `createObjects`, below the quota of 500. */
const ROOMS = 490;
const HOURS = 24;
const LONG = `repeat('é, ', 230)`;

/** What is copied, in this order. */
export function listCopies(ids: ObjectIds, ownerId: string): Record<string, Copies[]> {
  const day = `'${FULL_DAY.toISOString()}'::timestamptz`;
  const booked = { of: ids.booking!, invoice: 'NULL' };
  const guest = { guest_name: `'Guest ' || n`, guest_email: `'guest-' || n || '@example.com'` };
  const anybody = (n: string): Record<string, string> => ({
    member_id: `CASE ${n} % 2 WHEN 0 THEN '${ownerId}' END`,
    guest_name: `CASE ${n} % 2 WHEN 1 THEN ${guest.guest_name} END`,
    guest_email: `CASE ${n} % 2 WHEN 1 THEN ${guest.guest_email} END`,
  });
  const booking = {
    id: id('bk'),
    reference,
    invoice_id: 'NULL',
    status: `'confirmed'`,
    notes: LONG,
    remind_at: 'NULL',
    ...anybody('n'),
  };
  const slot = `${day} + n % ${HOURS} * interval '1 hour'`;
  const quarter = `${day} + interval '1 day' + (n - 20000) * interval '15 minutes'`;
  return {
    rooms: [
      {
        of: ids.room!,
        times: ROOMS,
        set: { id: copiedRoomId('n'), name: `'Room ' || n || repeat(' é', 90)` },
      },
    ],
    bookings: [
      {
        of: booked.of,
        times: ROOMS * HOURS - 1,
        set: { ...booking, room_id: copiedRoomId(`n / ${HOURS} + 1`), ...at(slot, 60) },
      },
      {
        of: booked.of,
        times: 700,
        set: {
          ...booking,
          id: id('bk', `'quarter' || o.id`),
          reference: reference.replace('n::', '(n + 20000)::'),
          room_id: copiedRoomId('1'),
          ...at(quarter.replace('(n - 20000)', 'n'), 15),
        },
      },
    ],
    blackouts: [
      {
        of: ids.blackout!,
        times: 10_000,
        set: {
          id: id('bo'),
          room_id: copiedRoomId(`n % ${ROOMS} + 1`),
          during: `tstzrange(${day} + n * interval '4 minutes', ${day} + (n + 15) * interval '4 minutes')`,
          reason: `repeat('é', 200)`,
        },
      },
      {
        of: ids.blackout!,
        times: 4_900,
        set: {
          id: id('bo', `'one' || o.id`),
          during:
            `tstzrange(${day} + n * interval '8 minutes', ${day} + n * interval '8 minutes' + ` +
            "interval '4 minutes')",
          reason: `repeat('é', 200)`,
        },
      },
    ],
    companies: [
      {
        of: ids.company!,
        times: 9_000,
        set: {
          id: `md5(o.id::text || n)::uuid`,
          name: `'Company ' || n || repeat('é', 150)`,
          billing_anchor: `current_date - 40`,
          next_period_on: `current_date + 1 + n % 27`,
          created_at: `o.created_at - n * interval '1 minute'`,
        },
      },
    ],
    members: [
      {
        of: ids.member!,
        times: 10_000,
        set: {
          id: id('mem'),
          profile_id: id('prof', `'${ids.member}'`),
          name: `'Member ' || n || repeat('é', 150)`,
          email: `'member-' || n || '-' || left(md5(o.id), 8) || '@example.com'`,
          company_id: `CASE n % 3 WHEN 0 THEN '${ids.company}'::uuid END`,
          billing_anchor: `CASE n % 3 WHEN 0 THEN NULL ELSE current_date - 40 END`,
          next_period_on: `CASE n % 3 WHEN 0 THEN NULL ELSE current_date + 1 + n % 27 END`,
          joined_at: `now() - n * interval '1 minute'`,
        },
      },
    ],
    invoices: [
      {
        of: ids.invoice!,
        times: 12_000,
        set: {
          id: id('inv'),
          number: 'n + 1000',
          document_number: `'COPY-' || n + 1000`,
          document_ordinal: 'n + 1000',
          accounting_reference: `'Holdfast #' || n + 1000`,
          reference: `repeat('é', 100)`,
          status: `CASE WHEN n % 3 = 0 THEN 'open' ELSE 'paid' END`,
          paid_at: `CASE WHEN n % 3 = 0 THEN NULL ELSE now() END`,
          due_at: `now() + interval '10 days'`,
          member_id: `CASE n % 2 WHEN 0 THEN '${ids.member}' END`,
          company_id: `CASE n % 2 WHEN 1 THEN '${ids.company}'::uuid END`,
          created_at: `now() - n * interval '1 minute'`,
        },
      },
    ],
    invoice_lines: [
      {
        of: ids.invoice!,
        by: 'invoice_id',
        times: 199,
        set: { position: 'n + 10', description: `repeat('é', 500)` },
      },
    ],
    payments: [
      {
        of: ids.payment!,
        times: 8_000,
        set: {
          id: id('pay'),
          invoice_id: id('inv', `'${ids.invoice}'`),
          reference: `repeat('é', 100)`,
          created_at: `now() - n * interval '1 minute'`,
        },
      },
      {
        of: ids.payment!,
        times: 300,
        set: { id: id('pay', `'refund' || o.id`), kind: `'refund'`, refund_of: 'o.id', method: `'cash'` },
      },
    ],
    events: [
      {
        of: ids.event!,
        times: 10_000,
        set: { id: id('evt'), object_id: id('bk', `'${ids.booking}'`), position: '100000 + n' },
      },
      {
        of: ids.booking!,
        by: 'object_id',
        times: 1_000,
        set: {
          id: id('evt', `'timeline' || o.id`),
          sequence: '1000 + n',
          position: '200000 + n',
        },
      },
    ],
    api_keys: [{ of: ids.key!, times: 80, set: { id: id('key'), name: `repeat('é', 100)` } }],
    statements: [{ of: ids.statement!, times: 500, set: { id: id('stmt'), number: `'COPY-S' || n` } }],
  };
}
