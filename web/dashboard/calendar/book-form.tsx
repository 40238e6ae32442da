import type { ComponentChildren } from 'preact';
import joi from 'joi';
import type { Extra } from '../../../db/entities/extras.js';
import type { Room } from '../../../db/entities/rooms.js';
import { listExtras } from '../../../db/queries/extras/extra.js';
import { hasDiscounts } from '../../../db/queries/discounts/discount.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { DEFAULT_DETAILS } from '../../../domain/bookings/details.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { ExtraInputs, extraRows, offeredExtras, submittedExtras } from '../../ui/extras.js';
import { formatsOf } from '../../ui/formats.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { showSection } from '../shared/workspace.js';
import { findPayer } from './account.js';
import { creditsChoice } from './credits.js';
import { freeTimes, timesQuery, type TimesQuery } from './free-times.js';
import { priceOf, type Booker } from './price.js';
import { TimeFields, timesInQuery } from '../shared/time-fields.js';
import { detailsForm } from '../bookings/details.js';
import { inputOf } from '../shared/declared-fields.js';
import { createSchema } from '../../../api/resources/bookings/shape.js';
import { ENGLISH } from '../../../domain/words/words.js';

const MAX_ROOMS = 200;

export const bookQuery = joi.object({
  ...timesQuery,
  room_id: text(64).allow(''),
  ...timesInQuery,
  email: text(320).allow(''),
  use_tokens: joi.valid('on'),
});

/** What the address says of a booking; the script adds who books, for the price. */
type BookQuery = TimesQuery & Booker;

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

/** The extras to choose from: those of the room that is filled in, else all. */
async function extrasFor(ctx: ApiContext, { db }: ApiDependencies, room?: Room): Promise<Extra[]> {
  const { workspace_id, role } = ctx.state.membership!;
  const by_staff = can(role, 'all_bookings');
  if (room) return offeredExtras(db.manager, room, { by_staff });
  return listExtras(db.manager, {
    workspace_id,
    include_archived: false,
    only_public: !by_staff,
    limit: 100,
  });
}

const roomAsked = (rooms: Room[], { room_id }: TimesQuery): Room | undefined =>
  rooms.find(({ id }) => id === room_id);

/** The form of the room and time that were chosen; before that it is closed, and asks for the room. */
function BookingForm(props: {
  ctx: ApiContext;
  rooms: Room[];
  asked: TimesQuery;
  children: ComponentChildren;
}) {
  const { ctx, rooms, asked, children } = props;
  const room = asked.start_at ? roomAsked(rooms, asked) : undefined;
  const form = (
    <Form class="card" ctx={ctx} action={pathIn(ctx, '/book')} once>
      {room ? (
        <>
          <h2>{room.name}</h2>
          <input type="hidden" name="room_id" value={room.id} />
        </>
      ) : (
        <Select
          name="room_id"
          label="Room to book"
          options={rooms.map(({ id, name }) => [id, name] as const)}
          chosen={[asked.room_id ?? '']}
        />
      )}
      {children}
    </Form>
  );
  if (room || ctx.state.rejection) return form;
  return (
    <details class="action">
      <summary>Enter room and times instead</summary>
      {form}
    </details>
  );
}

/** `GET /dashboard/:workspace/book`: the form to book a room, filled in by the calendar. */
export function showBook(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id, role, currency } = ctx.state.membership!;
    const query = (ctx.state.query ?? {}) as BookQuery;
    const rooms = await listRooms(deps.db.manager, {
      workspace_id,
      include_archived: false,
      limit: MAX_ROOMS,
    });
    const seesAll = can(role, 'all_bookings');
    const asked = { ...query, ...askedBefore(ctx) };
    const times = await freeTimes(ctx, deps, rooms, asked);
    const price = seesAll ? await priceOf(ctx, deps, asked) : null;
    const payer = seesAll ? null : await findPayer(ctx, deps, member_id, currency);
    const credits = seesAll ? null : await creditsChoice(ctx, deps, rooms, { ...query, ...askedBefore(ctx) });
    const extras = extraRows(ENGLISH, await extrasFor(ctx, deps, roomAsked(rooms, asked)), {
      submitted: ctx.state.rejection && submittedExtras(ctx.state.rejection.submitted),
      amount: formatsOf(ctx).amount,
    });
    const takesCodes = await hasDiscounts(deps.db.manager, workspace_id);
    const hasTerms = payer !== null && payer.payment_terms !== null;
    showSection(ctx, {
      title: 'Book a room',
      at: seesAll ? '/calendar' : '/bookings',
      children: (
        <>
          {times}
          <BookingForm ctx={ctx} rooms={rooms} asked={asked}>
            <TimeFields of={query} />
            {seesAll && <div data-priced={pathIn(ctx, '/book')}>{price}</div>}
            {seesAll && (
              <div class="grid">
                <div>
                  <TextField
                    {...inputOf(createSchema, 'booked_by.guest.email')}
                    label="Email of guest or member"
                    type="email"
                    autocomplete="off"
                  />
                </div>
                <div>
                  <TextField
                    {...inputOf(createSchema, 'booked_by.guest.name')}
                    required={false}
                    label="Name (for a guest)"
                    autocomplete="off"
                  />
                </div>
              </div>
            )}
            <detailsForm.Inputs of={DEFAULT_DETAILS} />
            <ExtraInputs rows={extras} />
            {takesCodes && (
              <TextField
                name="discount_code"
                label="Discount code (optional)"
                maxLength={60}
                autocomplete="off"
              />
            )}
            {seesAll ? <Choice name="use_tokens">Use hour credits first (members only)</Choice> : credits}
            {(seesAll || hasTerms) && (
              <Choice name="on_account">
                On account, invoiced by the terms of {payer?.name ?? 'the member or their company'}
              </Choice>
            )}
            <button>Review price</button>
            <p class="hint">
              Times are in the room’s time zone. You review the price before the slot is held.
            </p>
          </BookingForm>
        </>
      ),
    });
  };
}
