import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { BookingPage, BookingPageAddress } from '../../db/entities/booking-page.js';
import { insertIfAbsent } from '../../db/insert.js';
import { exists } from '../../db/query.js';
import { findBookingPage } from '../../db/queries/booking-page/booking-page.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { MAX_PAGE_ADDRESSES, type PageTheme } from '../../domain/booking-page/booking-page.js';
import { presentBookingPage } from '../../domain/booking-page/page-presenter.js';
import { invalidField } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { auditEdit } from '../audit-log/audit.js';
import { assertRooms } from '../rooms/known-rooms.js';
import { lockWorkspace } from '../workspaces/workspaces.js';
import { pageTerms, type SentTerms } from './terms.js';

type StoredPage = Omit<BookingPage, 'created_at' | 'updated_at'>;

/**
 * Gives an address to a workspace, and reserves it permanently. Once the page has another address, links to
 * the old one return 404, but no other workspace can take it and receive their visitors. Errors: 422 on
 * `slug` if another workspace has the address, or this one has had too many.
 */
async function takeAddress(tx: Tx, workspace_id: string, slug: string): Promise<void> {
  if (!(await insertIfAbsent(tx, BookingPageAddress, { slug, workspace_id }))) {
    const own = `SELECT FROM booking_page_addresses WHERE workspace_id = $1 AND slug = $2`;
    if (await exists(tx, own, [workspace_id, slug])) return;
    throw invalidField('slug', 'is already used by another page');
  }
  if ((await tx.countBy(BookingPageAddress, { workspace_id })) > MAX_PAGE_ADDRESSES)
    throw invalidField(
      'slug',
      'must be an earlier address of this page, which has reached the maximum of ' +
        `${MAX_PAGE_ADDRESSES} addresses`,
    );
}

/**
 * Replaces the settings of the booking page (docs/rules/booking-page.md#settings). `publicUrl`: the base URL
 * of the service. Errors: 422; 409 `limit_reached` for too many versions of terms.
 */
export const replaceBookingPage = (
  db: DataSource,
  publicUrl: string,
  caller: Principal,
  sent: Omit<StoredPage, 'workspace_id' | 'theme' | 'terms'> & {
    theme: Partial<PageTheme>;
    terms: SentTerms | null;
  },
): Promise<ReturnType<typeof presentBookingPage>> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    await lockWorkspace(tx, { id: workspace_id });
    await assertRooms(tx, workspace_id, 'room_ids', sent.room_ids);
    const before = presentBookingPage(await findBookingPage(tx, workspace_id), publicUrl);
    const { accent = null, logo_url = null } = sent.theme;
    const terms = sent.terms && (await pageTerms(tx, workspace_id, sent.terms));
    const page = { ...sent, terms, workspace_id, theme: { accent, logo_url } };
    const after = presentBookingPage(await putBookingPage(tx, page), publicUrl);
    await auditEdit(tx, caller, { action: 'booking_page.updated', object: workspace_id, before, after });
    return after;
  });

/**
 * Stores the booking page of a locked workspace and returns it. Errors: 422 on `slug` if it is or was the
 * address of another page.
 */
async function putBookingPage(tx: Tx, page: StoredPage): Promise<BookingPage> {
  const { workspace_id, slug } = page;
  await takeAddress(tx, workspace_id, slug);
  const { affected } = await tx.update(BookingPage, { workspace_id }, { ...page, updated_at: NOW });
  if (!affected) await tx.insert(BookingPage, page);
  return tx.findOneByOrFail(BookingPage, { workspace_id });
}
