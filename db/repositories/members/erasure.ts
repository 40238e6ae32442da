import { ApiError } from '../../../domain/errors.js';
import { ownerProtected } from '../../../domain/member-edit.js';
import type { Principal } from '../../../domain/policies.js';
import { withoutPerson } from '../../../domain/erasure.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { insertEvent } from '../events/events.js';
import { endInvite } from './invites.js';
import { lockMember } from './members.js';
import { eraseAddress, eraseProfile } from './profiles.js';

/**
 * Erases a member (decisions.md, "Mail and erasure"): name and address go from the database, stored events and audit
 * entries included, and so does the person, unless another workspace has them too. The row stays as a number that
 * bookings, invoices and payments refer to. Errors: 403 `owner_protected`, 404 `member_not_found`.
 */
export async function eraseMember(tx: Tx, principal: Principal, id: string): Promise<void> {
  const { workspace_id } = principal;
  const member = await lockMember(tx, workspace_id, id);
  if (!member) throw new ApiError('member_not_found', 'There is no such member.');
  if (member.role === 'owner') throw ownerProtected();
  await endInvite(tx, id);
  const keys: [{ id: string }[]] = await tx.query(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), name = 'Key of an erased member'
     WHERE member_id = $1 RETURNING id`,
    [id],
  );
  await tx.query(
    `UPDATE members SET profile_id = NULL, status = 'deleted', pending_tier = NULL, pending_tier_at = NULL,
            updated_at = clock_timestamp()
     WHERE id = $1`,
    [id],
  );
  await eraseProfile(tx, member.profile_id);
  await eraseAddress(tx, member.email);
  await eraseFromBookings(
    tx,
    await lockBookings(tx, `workspace_id = $1 AND member_id = $2`, [workspace_id, id]),
  );
  await eraseFromEvents(tx, [id]);
  await eraseFromAuditLog(tx, workspace_id, [id, ...keys[0].map((key) => key.id)]);
  const object = { id, deleted: true };
  await insertEvent(tx, { type: 'member.deleted', workspace_id, object, created_at: new Date() });
  await audit(tx, principal, { action: 'member.deleted', object: id, details: {} });
}

/**
 * Erases a guest from all bookings made under a mail address, in any case. Returns how many those were; asking again
 * finds none.
 */
export async function eraseGuest(tx: Tx, principal: Principal, email: string): Promise<number> {
  const { workspace_id } = principal;
  const bookings = await lockBookings(tx, `workspace_id = $1 AND lower(guest_email) = lower($2)`, [
    workspace_id,
    email,
  ]);
  if (bookings.length === 0) return 0;
  await tx.query(
    `UPDATE bookings SET guest_email = NULL, guest_name = NULL, guest_erased_at = clock_timestamp()
     WHERE id = ANY ($1)`,
    [bookings],
  );
  await eraseFromBookings(tx, bookings);
  await eraseAddress(tx, email);
  const details = { bookings: bookings.length };
  await audit(tx, principal, { action: 'guest.erased', object: workspace_id, details });
  return bookings.length;
}

/** The ids of bookings, locked in their order: nobody tells an event about one meanwhile. */
async function lockBookings(tx: Tx, where: string, values: unknown[]): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM bookings WHERE ${where} ORDER BY id FOR NO KEY UPDATE`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** What somebody wrote about bookings, in them and in what was told and asked of them, and mails not sent yet. */
async function eraseFromBookings(tx: Tx, bookings: string[]): Promise<void> {
  await tx.query(`UPDATE bookings SET notes = NULL, updated_at = clock_timestamp() WHERE id = ANY ($1)`, [
    bookings,
  ]);
  // A change that is still going on must not bring the notes back.
  await tx.query(
    `UPDATE booking_changes SET
       request = CASE WHEN request ?| '{notes,reason}' THEN request || '{"notes": null, "reason": null}' ELSE request END,
       plan = CASE WHEN plan ? 'notes' THEN plan || '{"notes": null}' ELSE plan END
     WHERE booking_id = ANY ($1)`,
    [bookings],
  );
  await tx.query(`DELETE FROM mails WHERE booking_id = ANY ($1) AND status = 'pending'`, [bookings]);
  await eraseFromEvents(tx, bookings);
  const [row] = await tx.query(`SELECT workspace_id FROM bookings WHERE id = $1`, [bookings[0] ?? '']);
  if (row) await eraseFromAuditLog(tx, row.workspace_id, bookings);
}

async function eraseFromEvents(tx: Tx, objects: string[]): Promise<void> {
  const events: { id: string; body: { data: unknown } }[] = await tx.query(
    `SELECT id, body FROM events WHERE object_id = ANY ($1)`,
    [objects],
  );
  for (const { id, body } of events) {
    const erased = { ...body, data: withoutPerson(body.data) };
    await tx.query(`UPDATE events SET body = $2 WHERE id = $1`, [id, JSON.stringify(erased)]);
  }
  // A receiver may have said back what it was sent.
  await tx.query(`UPDATE webhook_deliveries SET response_excerpt = NULL WHERE event_id = ANY ($1)`, [
    events.map(({ id }) => id),
  ]);
}

async function eraseFromAuditLog(tx: Tx, workspaceId: string, objects: string[]): Promise<void> {
  const entries: { id: string; details: unknown }[] = await tx.query(
    `SELECT id::text, details FROM audit_log WHERE workspace_id = $1 AND object = ANY ($2)`,
    [workspaceId, objects],
  );
  for (const { id, details } of entries) {
    await tx.query(`UPDATE audit_log SET details = $2 WHERE id = $1::bigint`, [id, withoutPerson(details)]);
  }
}
