import { listExtras } from '../../../../db/queries/extras/extra.js';
import { listOfferedRooms, type OfferedRooms } from '../../../../db/queries/booking-page/offered-room.js';
import { findBookingPage } from '../../../../db/queries/booking-page/booking-page.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import type { Extra } from '../../../../db/entities/extras.js';
import type { Room } from '../../../../db/entities/rooms.js';
import type { Workspace } from '../../../../db/entities/workspaces.js';
import type { Tx } from '../../../../db/transaction.js';
import { GUEST_HOLD_SECONDS, type Question } from '../../../../domain/booking-page/booking-page.js';
import { bookingPageUrl, presentTerms } from '../../../../domain/booking-page/page-presenter.js';
import { ApiError } from '../../../../domain/errors.js';
import type { Money } from '../../../../domain/money.js';
import { quote, type TaxCode } from '../../../../domain/rates/price.js';
import { GUEST, isFree } from '../../../../domain/rates/rates.js';
import { whyNotTakePayments } from '../../../../domain/processor/refusals.js';
import type { PublicBookingRules } from './book.js';

/** The price per hour of a room for a public guest, including tax; null if it depends on the time. */
export function hourlyPrice(room: Room, taxCodes: TaxCode[]): Money | null {
  if (room.rates.length > 0) return null;
  const tax = taxCodes.find(({ code }) => code === room.tax_code);
  const { price_per_hour_minor, currency } = room;
  const rate = { price_per_hour_minor, currency, discount_percent: 0, tax_rate_bps: tax?.rate_bps ?? 0 };
  return { currency, amount_minor: quote(rate, 60).total_minor };
}

/** The offered rooms that can be booked now. While the workspace cannot take payments, only free rooms. */
export const bookableRooms = (rooms: Room[], workspace: Workspace): Room[] =>
  whyNotTakePayments(workspace) === null ? rooms : rooms.filter((room) => isFree(room, GUEST));

/** The questions to public guests of a workspace, as on its booking page; none without a booking page. */
export async function readPublicBookingRules(tx: Tx, workspace_id: string): Promise<PublicBookingRules> {
  const page = await findBookingPage(tx, workspace_id);
  return page ?? { workspace_id, questions: [], terms: null, guest_hold_seconds: GUEST_HOLD_SECONDS };
}

/** The questions and terms of a workspace's booking page. `publicUrl`: the base URL of the service. */
export async function readPublicPage(
  tx: Tx,
  workspace_id: string,
  publicUrl: string,
): Promise<{ questions: Question[]; terms: { url: string; version: string } | null }> {
  const page = await findBookingPage(tx, workspace_id);
  if (!page?.terms) return { questions: page?.questions ?? [], terms: null };
  const { url, version } = presentTerms(page.terms, bookingPageUrl(publicUrl, page.slug));
  return { questions: page.questions, terms: { url, version } };
}

/** A room that a site offers. Errors: 404 `room_not_found`. */
export async function offeredRoom(tx: Tx, offered: OfferedRooms, id: string): Promise<Room> {
  const [room] = await listOfferedRooms(tx, offered, id);
  if (!room) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  return room;
}

/** The maximum number of extras of a workspace that a site shows. */
const MAX_EXTRAS_SHOWN = 500;

/** The extras that public guests can book with a room. */
const extrasFor = (room: Room, extras: Extra[]): Extra[] =>
  extras.filter(
    ({ currency, room_ids }) =>
      currency === room.currency && (room_ids === null || room_ids.includes(room.id)),
  );

/** The rooms that a site offers, with their extras, and its workspace. */
export async function loadOffer(
  tx: Tx,
  offered: OfferedRooms,
): Promise<{ rooms: (Room & { extras: Extra[] })[]; workspace: Workspace }> {
  const { workspace_id } = offered;
  const workspace = (await findWorkspace(tx, workspace_id))!;
  const rooms = bookableRooms(await listOfferedRooms(tx, offered), workspace);
  const extras = await listExtras(tx, {
    workspace_id,
    include_archived: false,
    only_public: true,
    limit: MAX_EXTRAS_SHOWN,
  });
  return { workspace, rooms: rooms.map((room) => ({ ...room, extras: extrasFor(room, extras) })) };
}
