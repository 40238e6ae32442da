import { NOW } from '../../db/database-time.js';
import { BookingPage, BookingPageAddress } from '../../db/entities/booking-page.js';
import { insertIfAbsent } from '../../db/insert.js';
import { exists } from '../../db/query.js';
import { MAX_PAGE_ADDRESSES } from '../../domain/booking-page/booking-page.js';
import { invalidField } from '../../domain/errors.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Gives an address to a workspace, which keeps it when its page gets another one: links that others have published still
 * lead there, so nobody else gets it. Errors: 422 on `slug` if another workspace has it, or the workspace had too many.
 */
async function takeAddress(tx: Tx, workspace_id: string, slug: string): Promise<void> {
  if (!(await insertIfAbsent(tx, BookingPageAddress, { slug, workspace_id }))) {
    const own = `SELECT FROM booking_page_addresses WHERE workspace_id = $1 AND slug = $2`;
    if (await exists(tx, own, [workspace_id, slug])) return;
    throw invalidField('slug', 'is the address of another page');
  }
  if ((await tx.countBy(BookingPageAddress, { workspace_id })) > MAX_PAGE_ADDRESSES)
    throw invalidField(
      'slug',
      `must be one that the page had before: it has had ${MAX_PAGE_ADDRESSES} addresses`,
    );
}

/**
 * Stores the booking page of a workspace, which the caller has locked, and returns it. Errors: 422 on `slug` if it is or was
 * the address of another page (docs/rules/booking-page.md#settings).
 */
export async function putBookingPage(
  tx: Tx,
  page: Omit<BookingPage, 'created_at' | 'updated_at'>,
): Promise<BookingPage> {
  const { workspace_id, slug } = page;
  const before = await tx.findOneBy(BookingPage, { workspace_id });
  // A release that did not keep addresses may have stored it.
  if (before) await insertIfAbsent(tx, BookingPageAddress, { slug: before.slug, workspace_id });
  await takeAddress(tx, workspace_id, slug);
  const { affected } = await tx.update(BookingPage, { workspace_id }, { ...page, updated_at: NOW });
  if (!affected) await tx.insert(BookingPage, page);
  return tx.findOneByOrFail(BookingPage, { workspace_id });
}
