import type { Answer } from '../../../domain/bookings/origin.js';
import type { Pricing } from '../../../domain/rates/price-lines.js';
import {
  STAFF_NOTICE_EVENTS,
  noticesWith,
  type StaffNotice,
} from '../../../domain/workspaces/staff-notices.js';
import type { StaffNotices } from '../../../domain/workspaces/staff-notices.js';
import { many, maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { isProvenContact } from './sender.js';

/** Lists workspaces whose daily mail is due, longest overdue first. */
export const listDigestsDue = (tx: Tx, limit: number): Promise<{ id: string; workspace_id: string }[]> =>
  many<{ id: string; workspace_id: string }>(
    tx,
    `SELECT id, id AS workspace_id FROM workspaces WHERE digest_at <= now() ORDER BY digest_at LIMIT $1`,
    [limit],
  );

/** The maximum number of bookings in a daily mail, because Gmail cuts off long mail. */
export const LISTED_NOTICES = 100;

/** The current state of a booking about which staff are informed, and what was different before a change. */
export interface StaffNoticeFacts {
  notice: StaffNotice;
  booking_id: string;
  reference: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  /** The booker's name; null after an erasure. */
  name: string | null;
  email: string | null;
  /** The answers to the questions of the booking page; null if it asked none. */
  answers: Answer[] | null;
  attendees: number;
  currency: string;
  price_minor: number;
  pricing: Pricing | null;
  /** From an event's `previous`; times in ISO 8601. */
  previous: {
    start_at?: string;
    end_at?: string;
    room?: { name: string };
    price?: { amount_minor: number };
    attendees?: number;
    extras?: { name: string; quantity: number }[];
  } | null;
}

/** A mail to staff: one notice, or those of a day. */
export interface StaffMail {
  id: string;
  kind: 'staff_booking' | 'staff_digest';
  to: string;
  workspace_id: string;
  workspace_name: string;
  notices: StaffNoticeFacts[];
  /** There are more than are listed. */
  is_cut: boolean;
}

/**
 * Reads the contents of a mail to staff; null if there is nothing to report. It is sent to the workspace's
 * contact address if that is proven, otherwise to the owner (docs/rules/mail.md#staff-mail).
 */
export async function findStaffMail(tx: Tx, mailId: string): Promise<StaffMail | null> {
  const mail = await maybeOne<
    Omit<StaffMail, 'notices' | 'is_cut' | 'to'> & {
      about: string;
      contact_email: string | null;
      owner_email: string;
      notify_staff: StaffNotices;
    }
  >(
    tx,
    `SELECT mail.id, mail.kind, mail.about, w.id AS workspace_id, w.name AS workspace_name, w.contact_email,
      w.notify_staff,
            m.email AS owner_email
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner' WHERE mail.id = $1`,
    [mailId],
  );
  if (!mail) return null;
  const { about, contact_email, owner_email, notify_staff, ...rest } = mail;
  const found =
    mail.kind === 'staff_booking'
      ? await many<StaffNoticeFacts>(
          tx,
          `SELECT staff_notice(e.type) AS notice, b.id AS booking_id, b.reference, r.name AS room_name,
            r.time_zone, b.start_at,
            b.end_at, coalesce(b.guest_name, m.name) AS name, coalesce(b.guest_email, m.email) AS email,
              b.answers,
            b.attendees, b.currency, b.price_minor, b.pricing, e.body #> '{data,previous}' AS previous
     FROM events e JOIN bookings b ON b.id = e.object_id JOIN rooms r ON r.id = b.room_id
     LEFT JOIN members m ON m.id = b.member_id
     WHERE e.workspace_id = $1 AND b.confirmed_at IS NOT NULL AND staff_notice(e.type) IS NOT NULL
       AND e.id = $2`,
          [mail.workspace_id, about],
        )
      : await listDaily(tx, mail.workspace_id, about, notify_staff);
  if (found.length === 0) return null;
  const isProven = contact_email !== null && (await isProvenContact(tx, mail.workspace_id, contact_email));
  const to = isProven ? contact_email : owner_email;
  return { ...rest, to, notices: found.slice(0, LISTED_NOTICES), is_cut: found.length > LISTED_NOTICES };
}

/**
 * Lists what happened between two positions, for the kinds that are reported daily, each booking once per
 * kind. `about`: `<workspace>/<after>/<up to>`.
 */
function listDaily(
  tx: Tx,
  workspaceId: string,
  about: string,
  notices: StaffNotices,
): Promise<StaffNoticeFacts[]> {
  const [, after, upTo] = about.split('/');
  const types = noticesWith(notices, 'daily').map((notice) => STAFF_NOTICE_EVENTS[notice]);
  return many<StaffNoticeFacts>(
    tx,
    `SELECT staff_notice(e.type) AS notice, b.id AS booking_id, b.reference, r.name AS room_name, r.time_zone,
      b.start_at,
            b.end_at, coalesce(b.guest_name, m.name) AS name, coalesce(b.guest_email, m.email) AS email,
              b.answers,
            b.attendees, b.currency, b.price_minor, b.pricing, e.body #> '{data,previous}' AS previous
     FROM events e JOIN bookings b ON b.id = e.object_id JOIN rooms r ON r.id = b.room_id
     LEFT JOIN members m ON m.id = b.member_id
     WHERE e.workspace_id = $1 AND b.confirmed_at IS NOT NULL AND staff_notice(e.type) IS NOT NULL
       AND e.position > $2 AND e.position <= $3 AND e.type = ANY ($4)
       AND NOT EXISTS (SELECT FROM events later WHERE later.workspace_id = $1
         AND later.object_id = e.object_id
                         AND later.type = e.type AND later.position > e.position AND later.position <= $3)
     ORDER BY e.position LIMIT $5`,
    [workspaceId, after, upTo, types, LISTED_NOTICES + 1],
  );
}

/** Returns the last position of a workspace's events; 0 if it has none. */
export async function findLastPosition(tx: Tx, workspaceId: string): Promise<number> {
  const { last } = await one<{ last: number }>(
    tx,
    `SELECT coalesce(max(position), 0) AS last FROM events WHERE workspace_id = $1 AND position IS NOT NULL`,
    [workspaceId],
  );
  return last;
}
