import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import { hasDiscounts } from '../../../db/queries/discounts/discount.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { listGuestNames } from '../../../db/queries/guests/guest.js';
import { findMember, listPeople } from '../../../db/queries/members/member.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { searchText, text } from '../../../api/http/fields.js';
import { extraRows, offeredExtras, submittedExtras } from '../../ui/extras.js';
import { createFormats } from '../../ui/formats.js';
import { MAX_SUGGESTED } from '../forms/inputs.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { findAccountPayer } from './account.js';
import { roomIn } from './room-in.js';
import { bookForm, type Booking } from './book.js';
import { creditsChoice } from './credits.js';
import { freeTimes, timesQuery, type TimesQuery } from './free-times.js';
import { previewPrice, type BookerToPrice } from './price.js';
import { timesInQuery } from '../shared/time-fields.js';
import { ENGLISH } from '../../../domain/words/words.js';

const bookQuery = joi.object({
  ...timesQuery,
  room_id: text(64).allow(''),
  ...timesInQuery,
  email: text(320).allow(''),
  use_tokens: joi.valid('on'),
});

/** A booking in the query; the script adds the booker, for the price. */
type BookQuery = TimesQuery & BookerToPrice;

/** The room, times and booker of a form that is shown again, because they are taken or its user went back. */
function askedBefore(ctx: ApiContext): BookQuery {
  const { submitted } = ctx.state.rejection ?? {};
  if (!submitted) return {};
  const [room_id, start_at, end_at, exact_start, exact_end, email, use_tokens] = [
    'room_id',
    'start_at',
    'end_at',
    'exact_start',
    'exact_end',
    'email',
    'use_tokens',
  ].map((name) => [submitted[name]].flat()[0]);
  return { room_id, start_at, end_at, exact_start, exact_end, email, use_tokens };
}

const roomAsked = (rooms: Room[], { room_id }: TimesQuery): Room | undefined =>
  rooms.find(({ id }) => id === room_id);

/** The form of the room and time that were chosen; before that it is closed, and asks for the room. */
function BookingForm({ page }: { page: PageProps<Booking> }) {
  const { ctx, at, data } = page;
  const form = (
    <Form class="card" ctx={ctx} action={pathIn(ctx, at)} once>
      <bookForm.Inputs page={page} />
      <button>Review price</button>
      <p class="hint">Times are in the room’s time zone. You review the price before the slot is held.</p>
    </Form>
  );
  if (data.room || ctx.state.rejection) return form;
  return (
    <details class="action">
      <summary>Enter room and times instead</summary>
      {form}
    </details>
  );
}

/** The form to book a room, filled in by the calendar. */
async function findBookPage(
  { ctx, membership, ...request }: PageRequest,
  deps: ApiDependencies,
): Promise<Booking> {
  const { workspace_id, member_id, role, currency } = membership;
  const { manager } = deps.db;
  const query: BookQuery = request.query;
  const seesAll = can(role, 'all_bookings');
  const member = seesAll ? null : await findMember(manager, workspace_id, member_id);
  const rooms = await listRooms(manager, { workspace_id, tier: member?.tier, include_archived: false });
  const asked = { ...query, ...askedBefore(ctx) };
  const payer = seesAll ? null : await findAccountPayer(ctx, deps, member_id, currency);
  const hasTerms = payer !== null && payer.payment_terms !== null;
  // As in other searches: no more words than a search may have.
  const q = searchText.validate(query.email).error ? undefined : query.email;
  const found = { q, limit: MAX_SUGGESTED };
  const guests = seesAll ? await listGuestNames(manager, workspace_id, found) : [];
  const members = seesAll ? await listPeople(manager, workspace_id, found) : [];
  const room = roomAsked(rooms, asked);
  const extras = await offeredExtras(manager, room ?? { workspace_id }, { by_staff: seesAll });
  return {
    room: asked.start_at ? room : undefined,
    shown: {
      freeTimes: await freeTimes(ctx, deps, rooms, asked),
      rooms,
      room_id: room?.id ?? '',
      times: query,
      extras: extraRows(ENGLISH, extras, {
        submitted: ctx.state.rejection && submittedExtras(ctx.state.rejection.submitted),
        amount: createFormats(ctx).amount,
      }),
      seesAll,
      people: [
        ...members.map(({ email, name }) => [email, name ?? email] as const),
        ...guests.map(({ email, name }) => [email, `${name} (guest)`] as const),
      ],
      price: seesAll ? await previewPrice(ctx, deps, asked) : null,
      credits: seesAll ? null : await creditsChoice(ctx, deps, rooms, asked),
      takesCodes: await hasDiscounts(manager, workspace_id),
      account: seesAll || hasTerms ? (payer?.name ?? 'the member or their company') : null,
    },
  };
}

export const bookPage = page({
  path: '/book',
  capability: 'own_bookings',
  query: bookQuery,
  at: ({ role }) => (can(role, 'all_bookings') ? '/calendar' : '/bookings'),
  title: 'Book a room',
  find: async ({ ctx }, deps): Promise<Booking> => ({
    room: await roomIn(ctx, deps, (ctx.state.body as { room_id: string }).room_id),
  }),
  load: findBookPage,
  view: (props: PageProps<Booking>) => (
    <>
      {props.data.shown!.freeTimes}
      <BookingForm page={props} />
    </>
  ),
  forms: [bookForm],
});
