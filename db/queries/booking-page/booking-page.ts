import { BookingPage, BookingPageTerms } from '../../entities/booking-page.js';
import { maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns the booking page of a workspace; null until it is set up. */
export const findBookingPage = (tx: Tx, workspaceId: string): Promise<BookingPage | null> =>
  tx.findOneBy(BookingPage, { workspace_id: workspaceId });

/** Returns the booking page with an address, of any workspace. */
export const findBookingPageAt = (tx: Tx, slug: string): Promise<BookingPage | null> =>
  maybeOne<BookingPage>(tx, `SELECT * FROM booking_pages WHERE slug = $1`, [slug]);

/** Returns a version of a workspace's terms; null if it is not stored here. */
export const findTerms = (tx: Tx, workspaceId: string, version: string): Promise<BookingPageTerms | null> =>
  tx.findOneBy(BookingPageTerms, { workspace_id: workspaceId, version });

/** Returns the URL at which payers of a workspace can book again. */
export const findBookAgain = async (tx: Tx, workspaceId: string): Promise<string | null> =>
  (
    await one<{ url: string | null }>(
      tx,
      `SELECT book_again_url(w.id) AS url FROM workspaces w WHERE w.id = $1`,
      [workspaceId],
    )
  ).url;
