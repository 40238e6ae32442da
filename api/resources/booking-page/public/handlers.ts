import { FIRST_MANAGE_LINK } from '../../../../db/manage-links.js';
import { findBooking } from '../../../../db/queries/bookings/booking.js';
import { findRoomCalendars } from '../../../../db/queries/bookings/availability.js';
import { availabilityOf } from '../../../../domain/bookings/availability.js';
import { ApiError } from '../../../../domain/errors.js';
import {
  presentPublicBooking,
  presentPublicRoom,
} from '../../../../domain/booking-page/public-booking-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import { clientAddress } from '../../../http/client.js';
import type { Handler } from '../../../http/context.js';
import { assertDays, assertRange } from '../../bookings/availability/read.js';
import { lengthsOf } from '../../../../domain/bookings/offered-times.js';
import { bookForStranger, quoteForStranger, type WantedTime } from './book.js';
import { hourPriceOf, offeredRoom, offerOf, rulesOf } from './offer.js';
import type { AvailabilityQuery, BookBody, QuoteBody } from './shape.js';

/** `GET /v1/public/rooms`: the rooms of a site, and what those who book are asked. */
export function rooms({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { rooms, workspace } = await offerOf(db.manager, ctx.state.site);
    const { questions, terms } = await rulesOf(db.manager, workspace.id);
    ctx.body = {
      data: rooms.map((room) =>
        presentPublicRoom(room, {
          lengths: lengthsOf(room),
          hour_price: hourPriceOf(room, workspace.tax_codes),
          extras: room.extras,
        }),
      ),
      questions,
      terms,
    };
  };
}

/**
 * `GET /v1/public/availability`: when a room is free. Errors: 404 `room_not_found`; 422 `validation_failed`.
 */
export function availability({ db }: Pick<ApiDependencies, 'db'>): Handler<unknown, AvailabilityQuery> {
  return async (ctx) => {
    const { room_id, from, to } = ctx.state.query;
    const range = { start: from.getTime(), end: to.getTime() };
    assertRange(range);
    const room = await offeredRoom(db.manager, ctx.state.site, room_id);
    assertDays(range, [room.time_zone]);
    const { workspace_id } = room;
    const [calendar] = await findRoomCalendars(db.manager, { workspace_id, of: { room_id }, from, to });
    const { free } = availabilityOf(calendar!, range, Date.now());
    ctx.body = {
      room: { id: room.id, name: room.name },
      time_zone: room.time_zone,
      slot_minutes: room.slot_minutes,
      free: free.map(({ start, end }) => ({
        start_at: new Date(start).toISOString(),
        end_at: new Date(end).toISOString(),
      })),
    };
  };
}

const wantedBy = ({ start_at, end_at, attendees, extras, discount_code }: QuoteBody): WantedTime => ({
  start_at,
  end_at,
  attendees,
  extras,
  discount_code,
});

/**
 * `POST /v1/public/quotes`: what a booking would cost, and whether its time is free. Errors:
 * those of `quoteForStranger`.
 */
export function quote({ db }: Pick<ApiDependencies, 'db'>): Handler<QuoteBody> {
  return async (ctx) => {
    const { body, site } = ctx.state;
    const room = await offeredRoom(db.manager, site, body.room_id);
    const { price, net_minor, tax_minor, lines, available, reason } = await quoteForStranger(
      { db },
      room,
      wantedBy(body),
    );
    ctx.status = 200;
    ctx.body = { price, net_minor, tax_minor, lines, available, reason };
  };
}

/**
 * `POST /v1/public/bookings`: books for a stranger, once for each `idempotency_key`. The link to a free
 * booking is in its mail only: who has entered an address has not shown that it is theirs. Errors:
 * those of `bookForStranger`.
 */
export function book(deps: ApiDependencies): Handler<BookBody> {
  return async (ctx) => {
    const { body, site } = ctx.state;
    const { guest, answers, terms_version, billing, proof, expected_price_minor, idempotency_key } = body;
    const room = await offeredRoom(deps.db.manager, site, body.room_id);
    const page = await rulesOf(deps.db.manager, site.workspace_id);
    const { booking, created } = await bookForStranger(
      deps,
      { page, room, address: clientAddress(ctx), key: idempotency_key },
      { ...wantedBy(body), expected_minor: expected_price_minor },
      {
        guest,
        billing: { company: null, vat_number: null, order_reference: null, ...billing },
        answers: new Map(Object.entries(answers)),
        terms_version: terms_version ?? null,
        proof,
      },
    );
    ctx.status = created ? 201 : 200;
    // Once staff have replaced the link, it is in mail only: this request may be repeated by
    // whoever has the first one.
    const isLinked =
      booking.published_at !== null &&
      booking.price_minor > 0 &&
      booking.manage_link_version === FIRST_MANAGE_LINK;
    ctx.body = presentPublicBooking(booking, isLinked ? deps.manageLinks.linkTo(booking) : null);
  };
}

/**
 * `GET /v1/public/bookings/{token}`: a guest's booking, by the token of its manage link. Errors:
 * 404 `booking_not_found`.
 */
export function get({ db, manageLinks }: Pick<ApiDependencies, 'db' | 'manageLinks'>): Handler {
  return async (ctx) => {
    const token = ctx.params.token!;
    const { workspace_id, room_ids } = ctx.state.site;
    const id = manageLinks.idIn(token);
    const booking = id && (await findBooking(db.manager, workspace_id, id));
    const isTheirs =
      booking &&
      booking.member_id === null &&
      (room_ids === null || room_ids.includes(booking.room_id)) &&
      manageLinks.isValid(token, booking);
    if (!isTheirs)
      throw new ApiError(
        'booking_not_found',
        'No booking has this link, or it was replaced. The latest one is in the mail.',
      );
    ctx.body = presentPublicBooking(booking, manageLinks.linkTo(booking));
  };
}
