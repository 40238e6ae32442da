import { findFeedOf } from '../../../db/queries/feeds/feed.js';
import { listBlackouts, type BlackoutRow } from '../../../db/queries/blackouts/blackout.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Room } from '../../../db/entities/rooms.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { Confirm } from '../shared/form.js';
import { Action, Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { gridInWords } from '../../../domain/bookings/slots.js';
import { can } from '../../../domain/policies.js';
import { planName } from '../../../domain/members/plans.js';
import { durationOf } from '../../../domain/bookings/refund-words.js';
import { formatsOf } from '../../ui/formats.js';
import { arrivalFacts } from '../../ui/parts.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { AppearanceForm, ArrivalForm, DetailsForm } from './details.js';
import { HoursForm, PriceForm, RefundsForm } from './room-fields.js';
import { PartsForm, readFamily, RoomLinks } from './parts-form.js';
import { readWeek, Week, WeekLegend } from './week.js';
import { hoursInWords, lengthsInWords, refundsInWords } from './words.js';
import { isProven } from '../../sign-in/proof.js';
import { CalendarAddress } from '../members/membership/calendar-address.js';
import { BlackoutInputs } from '../blackouts/inputs.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { PicturesForm } from './pictures.js';

const MAX_BLACKOUTS = 50;

function Blackouts({ ctx, room, blackouts }: { ctx: ApiContext; room: Room; blackouts: BlackoutRow[] }) {
  const at = pathIn(ctx, `/rooms/${room.id}/blackouts`);
  const { moment } = formatsOf(ctx, room.time_zone);
  return (
    <>
      {blackouts.length === 0 && <p class="soft">No upcoming blackouts.</p>}
      {blackouts.map(({ id, start_at, end_at, reason }) => (
        <article key={id} id={id} class="card">
          <a href={`${at}/${id}`}>
            {moment(start_at)} – {moment(end_at)}
          </a>{' '}
          <span class="soft">{reason}</span>
          <Confirm ctx={ctx} summary="Remove" action={`${at}/${id}/delete`} button="Remove blackout">
            The room can be booked at this time again.
          </Confirm>
        </article>
      ))}
      <div class="card">
        <Action ctx={ctx} action={at} summary="Add a blackout" button="Add blackout">
          <BlackoutInputs />
        </Action>
      </div>
    </>
  );
}

function SelfServiceForm({ ctx, room }: { ctx: ApiContext; room: Room }) {
  const [to, button] = room.self_service ? ['off', 'Turn off self-service'] : ['on', 'Turn on self-service'];
  const action = pathIn(ctx, `/rooms/${room.id}/self-service/${to}`);
  return (
    <Action ctx={ctx} action={action} summary="Self-service" button={button}>
      <p>
        {room.self_service
          ? 'Payers can move and cancel their bookings with the link in their email, under the refund terms.'
          : 'Payers can only view their bookings with the link in their email.'}
      </p>
    </Action>
  );
}

function ArchiveForm({ ctx, room }: { ctx: ApiContext; room: Room }) {
  const at = pathIn(ctx, `/rooms/${room.id}`);
  return room.archived ? (
    <Action ctx={ctx} action={`${at}/restore`} summary="Restore" button={`Restore ${room.name}`} />
  ) : (
    <Action ctx={ctx} action={`${at}/archive`} summary="Archive" button={`Archive ${room.name}`} rare>
      <p>The room can no longer be booked. Existing bookings are kept, and you can restore the room later.</p>
    </Action>
  );
}

/**
 * `GET /dashboard/:workspace/rooms/:id`: a room's next week, its blackouts, and its settings
 * for who may change them.
 */
export function showRoom(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const { manager } = deps.db;
    const now = new Date();
    const edits = can(ctx.state.membership!.role, 'write_rooms');
    const [week, workspace, blackouts, family, feed] = await Promise.all([
      readWeek(deps, room),
      findWorkspace(manager, room.workspace_id),
      listBlackouts(manager, { room_id: room.id, ending_after: now, limit: MAX_BLACKOUTS }),
      readFamily(deps, room),
      findFeedOf(manager, ctx.state.membership!.member_id, room.id),
    ]);
    const { amount } = formatsOf(ctx);
    const tax = workspace!.tax_codes.find(({ code }) => code === room.tax_code);
    showSection(ctx, {
      title: room.name,
      at: edits ? '/rooms' : '/calendar',
      children: (
        <>
          <Facts
            of={[
              room.archived && ['Status', <Status value="archived" />],
              ['Open', hoursInWords(room)],
              [
                'Price',
                `${amount(room.price_per_hour_minor, room.currency)} per hour, ` +
                  `plus ${(tax?.rate_bps ?? 0) / 100}% tax`,
              ],
              edits && [
                'Rates',
                <a href={pathIn(ctx, `/rooms/${room.id}/rates`)}>
                  {room.rates.length === 0
                    ? 'none, add rates by time and audience'
                    : `${room.rates.length}, which come before this price`}
                </a>,
              ],
              ['Bookings', `${lengthsInWords(room)}, starting ${gridInWords(room.slot_minutes)}`],
              room.turnaround_minutes > 0 && [
                'Buffer',
                `${room.turnaround_minutes} minutes after each booking`,
              ],
              family.parts.length > 0 && ['Parts', <RoomLinks ctx={ctx} rooms={family.parts} />],
              family.wholes.length > 0 && ['Part of', <RoomLinks ctx={ctx} rooms={family.wholes} />],
              room.capacity && ['Capacity', `${room.capacity} people`],
              [
                'Access',
                room.tiers
                  ? `members: ${room.tiers.map((tier) => planName(workspace!.plans, tier)).join(', ')}`
                  : 'everyone, including guests',
              ],
              [
                'Refunds',
                <>
                  {refundsInWords(ENGLISH, room.refund_steps).map((sentence) => (
                    <div key={sentence}>{sentence}</div>
                  ))}
                </>,
              ],
              room.floor && ['Floor', room.floor],
              room.size_m2 && ['Size', `${room.size_m2} m²`],
              room.features.length > 0 && ['Features', room.features.join(', ')],
              room.image_urls.length > 0 && ['Pictures', String(room.image_urls.length)],
              ...arrivalFacts(ENGLISH, room),
              room.reminder_hours && [
                'Reminder',
                `${durationOf(ENGLISH, room.reminder_hours)} before the start`,
              ],
              ['Time zone', room.time_zone],
              ['ID', <Id of={room.id} />],
            ]}
          />
          <h2>Next seven days</h2>
          <Week ctx={ctx} room={room} week={week} />
          <WeekLegend />
          {edits && <h2>Change</h2>}
          {edits && (
            <div class="card">
              <HoursForm ctx={ctx} room={room} />
              <PriceForm ctx={ctx} room={room} taxCodes={workspace!.tax_codes} plans={workspace!.plans} />
              <DetailsForm ctx={ctx} room={room} />
              <PartsForm ctx={ctx} room={room} possible={family.possible} />
              <AppearanceForm ctx={ctx} room={room} />
              <PicturesForm ctx={ctx} room={room} canUpload={deps.pictures !== null} />
              <ArrivalForm ctx={ctx} room={room} />
              <RefundsForm ctx={ctx} room={room} />
              <SelfServiceForm ctx={ctx} room={room} />
              <ArchiveForm ctx={ctx} room={room} />
            </div>
          )}
          <h2 id="blackouts">Blackouts</h2>
          <Blackouts ctx={ctx} room={room} blackouts={blackouts} />
          <h2>In your calendar</h2>
          <CalendarAddress
            ctx={ctx}
            url={feed && deps.feedLinks.linkTo(feed)}
            of="the bookings of this room"
            at={`/rooms/${room.id}`}
            isHidden={!isProven(ctx.state.session!)}
          />
        </>
      ),
    });
  };
}
