import joi from 'joi';
import { FIRST_MANAGE_LINK } from '../../../../db/manage-links.js';
import { findRoomCalendars } from '../../../../db/queries/bookings/availability.js';
import { findBooking } from '../../../../db/queries/bookings/booking.js';
import { computeAvailability } from '../../../../domain/bookings/availability.js';
import { offeredLengths } from '../../../../domain/bookings/offered-times.js';
import { ApiError } from '../../../../domain/errors.js';
import { assertSameKey } from '../../../http/idempotency.js';
import { created, siteOperation } from '../../../http/operation.js';
import { MAX_ANSWER } from '../../../../domain/booking-page/booking-page.js';
import { UNAVAILABLE_REASONS } from '../../../../domain/bookings/slots.js';
import { BOOKING_STATUSES } from '../../../../domain/states.js';
import {
  presentPublicBooking,
  presentPublicExtra,
  presentPublicRoom,
} from '../../../../domain/booking-page/public-booking-presenter.js';
import { text, timestamp, uuid } from '../../../http/fields.js';
import { array, boolean, integer, nullable, object, oneOf, typed, withDefault } from '../../../http/typed.js';
import { EXTRA_UNITS } from '../../../../domain/extras/extras.js';
import { GUEST } from '../../../../domain/rates/rates.js';
import { extras, newGuest } from '../../bookings/booking.js';
import { code } from '../../discounts/operations.js';
import { priceLine } from '../../bookings/booking.js';
import { name } from '../../shared/name.js';
import { FREE, roomOfTime, window } from '../../bookings/availability/operations.js';
import { assertDays, assertRange } from '../../bookings/availability/read.js';
import { EXAMPLE_BOOKING_ID, LINE } from '../../bookings/examples.js';
import { lunch } from '../../extras/operations.js';
import { EXAMPLE_ROOM_ID } from '../../rooms/operations.js';
import { EXAMPLE_KEY, exampleInstant, exampleTime } from '../../shared/examples.js';
import type { Resource } from '../../shared/resource.js';
import { askedQuestion } from '../operations.js';
import { bookForPublicGuest, quoteForPublicGuest, type WantedTime } from './book.js';
import { hourlyPrice, offeredRoom, loadOffer, readPublicBookingRules, readPublicPage } from './offer.js';
import * as s from '../../shared/shapes.js';

const wanted = {
  room_id: uuid.description('The room.'),
  start_at: timestamp.description('The start, on the slot grid of the room.'),
  end_at: timestamp.description('The end.'),
  attendees: withDefault(integer.min(1).max(100_000).description('The number of people. Defaults to 1.'), 1),
  extras: extras.description('The extras to book with the room.'),
  discount_code: code.description('A discount code, in any letter case.'),
};

const line = nullable(text(50).trim());

const extra = s.presentedBy(
  presentPublicExtra,
  s.shape({
    id: s.anyUuid.description('The id of the extra.'),
    name: s.anyText.description('The name of the extra.'),
    unit: oneOf(EXTRA_UNITS).description('What the price applies to.'),
    price: s.money.description('The price of one unit, without tax.'),
  }),
);

const room = s.presentedBy(
  presentPublicRoom,
  s.shape({
    id: s.anyUuid.description('The id of the room.'),
    name: s.anyText.description('The name of the room.'),
    description: s.nullableText.description('The description of the room.'),
    capacity: nullable(s.count).description('The maximum number of attendees. Null for no limit.'),
    image_urls: array(s.anyText).description('The URLs of pictures of the room. Lists show the first one.'),
    features: array(s.anyText).description('What the room has, such as `Projector`.'),
    floor: s.nullableText.description('The floor of the room.'),
    size_m2: nullable(s.count).description('The size of the room in square metres.'),
    time_zone: s.anyText.description('The IANA time zone of the room.'),
    slot_minutes: s.count.description('The spacing of the slot grid, in minutes.'),
    lengths: array(s.count).description(
      'The lengths that forms offer, in minutes, up to 31 days. Others on the slot grid can be booked.',
    ),
    hour_price: s
      .orNull(s.money)
      .description(
        'The price per hour, including tax. Null if the price depends on the time: request a quote.',
      ),
    extras: array(extra).description('The extras that can be booked with the room.'),
  }),
);

export const rooms = s.shape({
  data: array(room).description('The rooms that can be booked now, by creation time.'),
  questions: array(askedQuestion).description(
    'The questions that guests answer when they book, as on the booking page.',
  ),
  terms: s
    .orNull(
      s.shape({
        url: s.anyText.description('The URL of the terms.'),
        version: s.anyText.description('The version of the terms. Send it as `terms_version`.'),
      }),
    )
    .description('The terms that guests must accept. Null if there are none.'),
});

export const freeTime = s.shape({
  ...roomOfTime,
  free: array(s.shape(window)).description(FREE),
});

export const quote = s.shape({
  price: s.money.description('The price, including tax.'),
  net_minor: s.minor.description('The price without tax, in minor units.'),
  tax_minor: s.minor.description('The tax, in minor units.'),
  lines: array(priceLine).description('The lines that make up the price.'),
  available: boolean.description('Whether the time is free now.'),
  reason: s
    .orNull(oneOf(UNAVAILABLE_REASONS))
    .description(
      'Why the time is not free. The values are the same as for `details.reason` of a ' +
        '`slot_unavailable` error.',
    ),
});

/** A public guest's own booking. */
export const guestBooking = s.presentedBy(
  presentPublicBooking,
  s.shape('PublicBooking', {
    reference: s.anyText.description('A short reference to read aloud and to print.'),
    status: oneOf([...BOOKING_STATUSES, 'to_confirm']).description(
      'The status of the booking. A free booking is `to_confirm` until the guest confirms it with the ' +
        'link in the email to them.',
    ),
    room: s.roomReference.description('The room.'),
    time_zone: s.anyText.description('The IANA time zone of the room.'),
    start_at: s.instant.description('The start.'),
    end_at: s.instant.description('The end.'),
    attendees: s.count.description('The number of people.'),
    price: s.money.description('The price, including tax.'),
    checkout_url: s.nullableText.description(
      'The URL of the hosted page where the guest pays. Open it in the top-level window, not in a ' +
        'frame. Null if nothing is due.',
    ),
    expires_at: s.nullableInstant.description(
      'The time until which the room is held, unless the booking is paid or confirmed before.',
    ),
    manage_url: s.nullableText.description(
      'The URL of the page where the guest can view and cancel the booking. Null for a free booking, ' +
        'whose link is sent only by email.',
    ),
    manage_token: s.nullableText.description(
      'The last part of `manage_url`, with which `GET /v1/public/bookings/{token}` returns the booking.',
    ),
  }),
);

const EXAMPLE_TOKEN = `${EXAMPLE_BOOKING_ID}.3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

const exampleRoom = { id: EXAMPLE_ROOM_ID, name: 'Blue room' };
const exampleWanted = {
  room_id: EXAMPLE_ROOM_ID,
  start_at: exampleTime(30, 10),
  end_at: exampleTime(30, 11),
  attendees: 4,
};

const exampleBooking = {
  reference: 'KT4WQ7M',
  status: 'pending_payment',
  room: exampleRoom,
  time_zone: 'Europe/London',
  start_at: exampleInstant(30, 10),
  end_at: exampleInstant(30, 11),
  attendees: 4,
  price: { currency: 'GBP', amount_minor: 3_000 },
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_test_a1',
  expires_at: exampleInstant(0, 12),
  manage_url: `https://book.example.com/manage/${EXAMPLE_TOKEN}`,
  manage_token: EXAMPLE_TOKEN,
};

const wantedBy = ({
  start_at,
  end_at,
  attendees,
  extras,
  discount_code,
}: Omit<WantedTime, 'expected_minor'>): WantedTime => ({
  start_at,
  end_at,
  attendees,
  extras,
  discount_code,
});

export const listPublicRooms = siteOperation({
  route: 'GET /v1/public/rooms',
  summary: 'List rooms for a website',
  id: 'listPublicRooms',
  description:
    'Returns the rooms of the key that guests can book now, and the questions that guests must ' +
    'answer. Like all operations under `/v1/public`, it takes a publishable key: any page on one of ' +
    'the key’s origins can call it from a browser (CORS), without cookies. These operations have ' +
    'separate rate limits: 600 requests per minute for each key, and 60 for each client address.',
  responses: { 200: rooms },
  examples: {
    response: {
      data: [
        {
          ...exampleRoom,
          description: 'A bright room with a view.',
          capacity: 8,
          image_urls: ['https://www.harbour.example/blue.jpg'],
          features: ['Projector'],
          floor: '2nd floor',
          size_m2: 24,
          time_zone: 'Europe/London',
          slot_minutes: 30,
          lengths: [30, 60, 90, 120],
          hour_price: { currency: 'GBP', amount_minor: 3_000 },
          extras: [
            {
              id: lunch.id,
              name: 'Lunch',
              unit: 'attendee',
              price: { currency: 'GBP', amount_minor: 1_200 },
            },
          ],
        },
      ],
      questions: [
        {
          id: 'layout',
          label: 'How should the chairs stand?',
          kind: 'choice',
          required: true,
          choices: ['In rows', 'In a circle'],
        },
      ],
      terms: { url: 'https://www.harbour.example/terms', version: '2026-05' },
    },
  },
  async run(_, site, { db, publicUrl }) {
    const { rooms, workspace } = await loadOffer(db.manager, site);
    const { questions, terms } = await readPublicPage(db.manager, workspace.id, publicUrl);
    return {
      data: rooms.map((room) =>
        presentPublicRoom(room, {
          lengths: offeredLengths(room),
          hour_price: hourlyPrice(room, workspace.tax_codes),
          extras: room.extras,
        }),
      ),
      questions,
      terms,
    };
  },
});

export const getPublicAvailability = siteOperation({
  route: 'GET /v1/public/availability',
  summary: 'Get free time for a website',
  id: 'getPublicAvailability',
  description:
    'Returns when a room is free, for a range of at most 31 days. Every booking on the slot grid ' +
    'within a window can be created now. The response does not show why the room is not free at ' +
    'other times.',
  query: object(
    {
      room_id: uuid.description('The room.'),
      from: timestamp.description('The start of the time range, inclusive.'),
      to: timestamp.description('The end of the time range, exclusive; at most 31 days after `from`.'),
    },
    'room_id',
    'from',
    'to',
  ),
  responses: { 200: freeTime },
  errors: ['room_not_found'],
  examples: {
    query: { room_id: EXAMPLE_ROOM_ID, from: exampleTime(30, 0), to: exampleTime(31, 0) },
    response: {
      room: exampleRoom,
      time_zone: 'Europe/London',
      slot_minutes: 30,
      free: [{ start_at: exampleInstant(30, 8), end_at: exampleInstant(30, 20) }],
    },
  },
  async run({ query: { room_id, from, to } }, site, { db }) {
    const range = { start: from.getTime(), end: to.getTime() };
    assertRange(range);
    const room = await offeredRoom(db.manager, site, room_id);
    assertDays(range, [room.time_zone]);
    const { workspace_id } = room;
    const asked = { workspace_id, of: { room_id }, from, to };
    const [calendar] = await findRoomCalendars(db.manager, asked, GUEST);
    const { free } = computeAvailability(calendar!, range, Date.now());
    return {
      room: { id: room.id, name: room.name },
      time_zone: room.time_zone,
      slot_minutes: room.slot_minutes,
      free: free.map(({ start, end }) => ({
        start_at: new Date(start).toISOString(),
        end_at: new Date(end).toISOString(),
      })),
    };
  },
});

export const createPublicQuote = siteOperation({
  route: 'POST /v1/public/quotes',
  summary: 'Get a price for a website',
  id: 'createPublicQuote',
  description:
    'Returns the price of a booking by a guest, and whether the time is free now. Nothing is stored.',
  body: object(wanted, 'room_id', 'start_at', 'end_at').required(),
  responses: { 200: quote },
  errors: ['room_not_found', 'extra_unavailable', 'discount_unavailable', 'slot_misaligned'],
  examples: {
    body: exampleWanted,
    response: {
      price: { currency: 'GBP', amount_minor: 3_000 },
      net_minor: 2_500,
      tax_minor: 500,
      lines: [LINE],
      available: true,
      reason: null,
    },
  },
  async run({ body }, site, { db }) {
    const room = await offeredRoom(db.manager, site, body.room_id);
    const { price, net_minor, tax_minor, lines, available, reason } = await quoteForPublicGuest(
      { db },
      room,
      wantedBy(body),
    );
    return { price, net_minor, tax_minor, lines, available, reason };
  },
});

/**
 * Books for a public guest, once for each `idempotency_key`. The link to a free booking is only in its email,
 * because the guest has not yet proved that the address is theirs.
 */
export const createPublicBooking = siteOperation({
  route: 'POST /v1/public/bookings',
  summary: 'Create a booking for a website',
  id: 'createPublicBooking',
  description:
    'Creates a booking for a guest on your website, as the booking page does. The room is held ' +
    'until `expires_at`. Open `checkout_url` in the top-level window, not in a frame; the booking is ' +
    'confirmed when it is paid. The guest confirms a free booking with the link in the email to ' +
    'them. With `expected_price_minor`, the request fails if the price is no longer the one that the ' +
    'guest was shown. The request fails with 429 `rate_limited` after five holds of a client address ' +
    'in 10 minutes, with two unpaid bookings for an email address, or with 20 unpaid bookings of ' +
    'public guests in a room. From the third hold in 10 minutes, a client address must solve a proof ' +
    'of work: the request fails with 403 `proof_required` and a challenge in `details`. Solve it and ' +
    'repeat the request with the answer as `proof`. A repeat with the same `idempotency_key` and ' +
    'body returns 200 with the same booking.',
  body: object(
    {
      ...wanted,
      guest: newGuest.description('The guest who books.'),
      billing: object({
        company: nullable(name).description('The company that the guest books for.'),
        vat_number: line.description('The VAT number of the company.'),
        order_reference: line.description('The order reference of the company.'),
      }).description('The billing details that are printed on the documents of the booking.'),
      answers: withDefault(
        typed<Record<string, string>>(joi.object().pattern(text(40), text(MAX_ANSWER).allow('')).max(20)),
        {},
      ).description(
        'The answers to the `questions` that are returned with the rooms, by the id of the question. ' +
          'Send `on` for a selected checkbox.',
      ),
      terms_version: text(50).description('The version of the terms that the guest has accepted.'),
      expected_price_minor: integer
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .description(
          'The price that the guest was shown, in minor units. If the price has changed, nothing is ' +
            'booked.',
        ),
      proof: text(4_000).description(
        'The answer to `details.challenge` of a `proof_required` error: the JSON `{challenge, ' +
          'solution}` in base64.',
      ),
      idempotency_key: uuid.description(
        'A new UUID for each booking. A repeat with the same key returns the same booking.',
      ),
    },
    'room_id',
    'start_at',
    'end_at',
    'guest',
    'idempotency_key',
  ).required(),
  idempotent: true,
  responses: { 200: guestBooking, 201: guestBooking },
  errors: [
    'proof_required',
    'room_not_found',
    'slot_unavailable',
    'extra_unavailable',
    'discount_unavailable',
    'idempotency_conflict',
    'processor_unconfigured',
    'slot_misaligned',
    'amount_too_small',
    'processor_error',
  ],
  examples: {
    body: {
      ...exampleWanted,
      guest: { email: 'ada@example.com', name: 'Ada Lovelace' },
      answers: { layout: 'In a circle' },
      terms_version: '2026-05',
      expected_price_minor: 3_000,
      idempotency_key: EXAMPLE_KEY,
    },
    response: exampleBooking,
  },
  async run({ body, client, idempotency }, site, deps) {
    assertSameKey(idempotency, body.idempotency_key);
    const { guest, answers, terms_version, billing, proof, expected_price_minor, idempotency_key } = body;
    const room = await offeredRoom(deps.db.manager, site, body.room_id);
    const page = await readPublicBookingRules(deps.db.manager, site.workspace_id);
    const { booking, created: isNew } = await bookForPublicGuest(
      deps,
      { page, room, address: client.address, key: idempotency_key },
      { ...wantedBy(body), expected_minor: expected_price_minor },
      {
        guest,
        billing: { company: null, vat_number: null, order_reference: null, ...billing },
        answers: new Map(Object.entries(answers)),
        terms_version: terms_version ?? null,
        proof,
      },
    );
    // Once staff have replaced the link, it is only in emails: anyone who has the first link could repeat
    // this request.
    const isLinked =
      booking.published_at !== null &&
      booking.price_minor > 0 &&
      booking.manage_link_version === FIRST_MANAGE_LINK;
    return {
      object: presentPublicBooking(booking, isLinked ? deps.manageLinks.linkTo(booking) : null),
      isNew,
    };
  },
  reply: created,
});

export const getPublicBooking = siteOperation({
  route: 'GET /v1/public/bookings/:token',
  summary: 'Get a guest’s own booking',
  id: 'getPublicBooking',
  description:
    'Returns the booking of a guest’s manage link. A new link for the booking replaces earlier ones.',
  responses: { 200: guestBooking },
  examples: { response: { ...exampleBooking, status: 'confirmed', checkout_url: null, expires_at: null } },
  async run({ params: { token } }, { workspace_id, room_ids }, { db, manageLinks }) {
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
        'The link does not belong to a booking, or has been replaced. Use the link in the latest ' +
          'email about the booking.',
      );
    return presentPublicBooking(booking, manageLinks.linkTo(booking));
  },
});

/** Operations for websites with a publishable key (docs/rules/booking-page.md#websites). */
export const publicBooking: Resource = {
  tag: 'Websites',
  operations: [
    listPublicRooms,
    getPublicAvailability,
    createPublicQuote,
    createPublicBooking,
    getPublicBooking,
  ],
  ids: {
    token: {
      name: 'manage_token',
      description: 'The `manage_token` of the booking: the last part of its manage link.',
      example: EXAMPLE_TOKEN,
      notFound: 'booking_not_found',
    },
  },
};
