import type { DataSource } from 'typeorm';
import { addressKey } from '../../db/address.js';
import { dayIn } from '../../domain/cycle.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { whyNotEditOwner } from '../../domain/members/edit.js';
import type { Principal } from '../../domain/policies.js';
import { isKnownZone } from '../../domain/time-zone.js';
import { column, execute } from '../../db/query.js';
import { CLOCK } from '../../db/database-time.js';
import { Member } from '../../db/entities/members.js';
import { storeNow, transaction, type Tx } from '../../db/transaction.js';
import { insertEvent } from '../events/events.js';
import { forgetSubject } from '../single-sign-on/subjects.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { lockInvoiceRows } from '../invoices/invoices.js';
import { takeOffFile } from '../payments/removed-cards.js';
import { draftOwed } from '../subscriptions/invoices.js';
import { forgetRecipient } from '../mail/new-recipients.js';
import { audit } from '../audit-log/audit.js';
import { eraseRows } from './erase-rows.js';
import { endInvite } from './invites.js';
import { lockMember } from './members.js';
import { deleteUnusedAddress, deleteUnusedProfile } from './profiles.js';

/**
 * Erases a member (docs/rules/members.md#erasure): deletes name and address, also in stored events and audit
 * entries, and the profile unless another workspace has it. The row stays, since bookings, invoices and
 * payments reference it. Errors: 403 `owner_protected`, 404 `member_not_found`.
 */
export async function eraseMember(tx: Tx, principal: Principal, id: string): Promise<void> {
  const { workspace_id } = principal;
  // Blocks every new row that refers to them: an invoice or document with their name is stored before this,
  // or without the name.
  await execute(tx, `SELECT FROM members WHERE id = $1 AND workspace_id = $2 FOR UPDATE`, [id, workspace_id]);
  const member = await lockMember(tx, workspace_id, id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  refuse(whyNotEditOwner(member));
  // Their company still owes what was due. With an unknown zone, nobody knows what that is.
  if (member.company_id && isKnownZone(member.time_zone))
    await draftOwed(tx, member, dayIn(member.time_zone, new Date()));
  await endInvite(tx, id);
  await forgetSubject(tx, member);
  await takeOffFile(tx, { company_id: null, member_id: id });
  await revokeApiKeys(tx, principal, { member_id: id }, 'member_deleted');
  const keys = await column<string>(tx, `SELECT id FROM api_keys WHERE member_id = $1`, [id]);
  const bookings = await column<string>(
    tx,
    // In order of id, so that no event about one of them is stored in the meantime.
    `SELECT id FROM bookings WHERE workspace_id = $1 AND member_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    [workspace_id, id],
  );
  await erase(tx, principal, { members: [id], keys, bookings });
  await tx.update(Member, { id }, { updated_at: CLOCK });
  await forgetRecipient(tx, workspace_id, member.email);
  await deleteUnusedProfile(tx, member.profile_id);
  await deleteUnusedAddress(tx, member.email);
  const object = { id, deleted: true };
  await insertEvent(tx, { type: 'member.deleted', workspace_id, object, created_at: new Date() });
  await audit(tx, principal, { action: 'member.deleted', object: id, details: {} });
}

/**
 * Erases a guest, given by an email address in any spelling, from all bookings. Returns the number of
 * bookings; 0 for a repeated call.
 */
export const eraseGuest = (db: DataSource, principal: Principal, email: string): Promise<number> =>
  transaction(db, async (tx) => {
    const { workspace_id } = principal;
    const bookings = await column<string>(
      tx,
      `SELECT id FROM bookings b
       WHERE b.workspace_id = $1 AND guest_key(b) = $2 AND b.guest_email IS NOT NULL
       ORDER BY id FOR NO KEY UPDATE`,
      [workspace_id, addressKey(email)],
    );
    if (bookings.length === 0) return 0;
    // Both in one statement, because a constraint requires exactly one of the two.
    await execute(
      tx,
      `UPDATE bookings SET guest_email = NULL, guest_erased_at = clock_timestamp() WHERE id = ANY ($1)`,
      [bookings],
    );
    await erase(tx, principal, { members: [], keys: [], bookings });
    await forgetRecipient(tx, workspace_id, email);
    await deleteUnusedAddress(tx, email);
    const details = { bookings: bookings.length };
    await audit(tx, principal, { action: 'guest.erased', object: workspace_id, details });
    return bookings.length;
  });

/** Erases a person from all rows about them, and deletes unsent mail to them. */
async function erase(
  tx: Tx,
  principal: Principal,
  ids: { members: string[]; keys: string[]; bookings: string[] },
): Promise<void> {
  // A person with many years of bookings is in many events and audit entries.
  await execute(tx, `SET LOCAL statement_timeout = '10min'`);
  const { members, keys, bookings } = ids;
  const workspaceId = principal.workspace_id;
  const invoices = await column<string>(
    tx,
    `SELECT DISTINCT a.id FROM invoices i, with_adjusting(i.id) a
     WHERE i.workspace_id = $1 AND (i.member_id = ANY ($2) OR i.booking_id = ANY ($3)) ORDER BY a.id`,
    [workspaceId, members, bookings],
  );
  // A document issued in the meantime names them if it is stored before this, otherwise it does not.
  await lockInvoiceRows(tx, invoices);
  const payments = await column<string>(
    tx,
    `SELECT id FROM payments WHERE workspace_id = $1 AND (invoice_id = ANY ($2) OR booking_id = ANY ($3))`,
    [workspaceId, invoices, bookings],
  );
  await storeNow(tx);
  const objects = [...members, ...keys, ...bookings, ...invoices, ...payments];
  const events = await column<string>(tx, `SELECT id FROM events WHERE object_id = ANY ($1)`, [objects]);
  await execute(
    tx,
    `DELETE FROM mails WHERE workspace_id = $1 AND sent_at IS NULL AND kind <> 'accounting_failed'
      AND (booking_id = ANY ($2) OR invoice_id IN (
       SELECT id FROM invoices WHERE id = ANY ($3) AND company_id IS NULL))`,
    [workspaceId, bookings, invoices],
  );
  await eraseRows(tx, principal, { members, keys, bookings, invoices, payments, objects, events });
  // Also from lines of documents to their companies, which no id of theirs finds.
  await execute(
    tx,
    `UPDATE invoice_documents SET member_names = member_names - $2::text[]
     WHERE workspace_id = $1 AND member_names ?| $2::text[]`,
    [workspaceId, members],
  );
  await execute(tx, `UPDATE bookings SET updated_at = clock_timestamp() WHERE id = ANY ($1)`, [bookings]);
}
