import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { BookingPage, BookingPageTerms } from '../../db/entities/booking-page.js';
import { findBookingPage, findTerms } from '../../db/queries/booking-page/booking-page.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { MAX_TERMS_VERSIONS, type PageTerms } from '../../domain/booking-page/booking-page.js';
import { presentBookingPage } from '../../domain/booking-page/page-presenter.js';
import { ApiError, invalidField } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import type { TermsKey } from '../../domain/rooms/picture.js';
import { auditEdit } from '../audit-log/audit.js';
import { lockWorkspace } from '../workspaces/workspaces.js';

/** Terms as sent: a page on another site, a text, or neither for a version that is stored. */
export interface SentTerms {
  version: string;
  url?: string;
  text?: string;
}

/**
 * Stores a version of the terms of a locked workspace. Errors: 422 on `param` if the version has other terms;
 * 409 `limit_reached`.
 */
async function storeVersion(
  tx: Tx,
  terms: Pick<BookingPageTerms, 'workspace_id' | 'version' | 'text' | 'file_key'>,
  param: string,
): Promise<void> {
  const { workspace_id, version, text, file_key } = terms;
  const known = await findTerms(tx, workspace_id, version);
  if (known && known.text === text && known.file_key === file_key) return;
  if (known) throw invalidField(param, 'must be a new version: this one has other terms');
  if ((await tx.countBy(BookingPageTerms, { workspace_id })) >= MAX_TERMS_VERSIONS)
    throw new ApiError('limit_reached', `A workspace can store at most ${MAX_TERMS_VERSIONS} versions.`, {
      details: { limit: MAX_TERMS_VERSIONS },
    });
  await tx.insert(BookingPageTerms, terms);
}

/**
 * Returns terms as a booking page has them, once their text is stored. Errors: 422 on `terms.version` for a
 * version with another text, and on `terms.url` without terms; 409 `limit_reached`.
 */
export async function pageTerms(
  tx: Tx,
  workspace_id: string,
  { version, url, text }: SentTerms,
): Promise<PageTerms> {
  if (url !== undefined) return { version, url };
  if (text !== undefined) {
    await storeVersion(tx, { workspace_id, version, text, file_key: null }, 'terms.version');
    return { version, kind: 'text' };
  }
  const known = await findTerms(tx, workspace_id, version);
  if (!known) throw invalidField('terms.url', 'is required for a version without a text or a file');
  return { version, kind: known.file_key ? 'file' : 'text' };
}

/**
 * Makes a stored PDF the terms of the booking page (docs/rules/booking-page.md#terms). `publicUrl`: the base
 * URL of the service. Errors: 404 `not_found` without a booking page; 422 on `version` if it has other terms;
 * 409 `limit_reached`.
 */
export const useTermsFile = (
  db: DataSource,
  publicUrl: string,
  caller: Principal,
  { version, file_key }: { version: string; file_key: TermsKey },
): Promise<ReturnType<typeof presentBookingPage>> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    await lockWorkspace(tx, { id: workspace_id });
    const page = await findBookingPage(tx, workspace_id);
    if (!page) throw new ApiError('not_found', 'The booking page is not set up.');
    await storeVersion(tx, { workspace_id, version, text: null, file_key }, 'version');
    const terms: PageTerms = { version, kind: 'file' };
    await tx.update(BookingPage, { workspace_id }, { terms, updated_at: NOW });
    const [before, after] = [page, { ...page, terms }].map((each) => presentBookingPage(each, publicUrl));
    await auditEdit(tx, caller, {
      action: 'booking_page.updated',
      object: workspace_id,
      before: before!,
      after: after!,
    });
    return after!;
  });
