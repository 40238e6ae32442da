import { can } from '../../../domain/policies.js';
import { describeGrid } from '../../../domain/bookings/slots.js';
import { formatDuration } from '../../../domain/bookings/refund-words.js';
import { planName } from '../../../domain/members/plans.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { changeRoom, copyRoom } from '../../../api/resources/rooms/operations.js';
import type { ApiContext } from '../../../api/http/context.js';
import { isProven } from '../../sign-in/proof.js';
import { createFormats, otherZone } from '../../ui/formats.js';
import { arrivalFacts } from '../../ui/parts.js';
import { addBlackoutOfRoom } from '../blackouts/new-blackout.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { form } from '../forms/form.js';
import { page, type PageProps } from '../forms/page.js';
import { CalendarAddress, calendarAddressForm } from '../members/membership/calendar-address.js';
import { Details, FactCard } from '../shared/action.js';
import { Empty } from '../shared/list.js';
import { describeTax, enteredPrice } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import { Confirm } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';
import { readRoom, type NamedRoom, type RoomPage } from './read-room.js';
import { roomTabs } from './tabs.js';
import { Week, WeekLegend } from './week.js';
import { describeOpeningHours, formatLengths, describeRefundSteps } from './words.js';

const editMetadata = metadataForm(changeRoom, ({ shown }: RoomPage) => shown);
const copy = form(
  copyRoom,
  { name: { label: 'Name of the copy', initial: ({ room }: RoomPage) => `${room.name} (copy)` } },
  {
    path: '/copy',
    summary: 'Copy room',
    button: 'Copy room',
    hint: 'With its settings and rates, without its bookings, blackouts and parts.',
    notice: ({ object: { name } }) => `${name} has been added.`,
    to: ({ object: { id } }) => `/rooms/${id}`,
  },
);
const calendarAddress = calendarAddressForm<RoomPage>('write_blackouts', { proof: true });

function RoomLinks({ ctx, rooms }: { ctx: ApiContext; rooms: NamedRoom[] }) {
  return (
    <>
      {rooms.map(({ id, name, archived }, n) => (
        <>
          {n > 0 && ', '}
          <a key={id} href={pathIn(ctx, `/rooms/${id}`)}>
            {name}
          </a>
          {archived && ' (archived)'}
        </>
      ))}
    </>
  );
}

/** What people ask first about a room. */
function RoomFacts({ ctx, data }: PageProps<RoomPage>) {
  const { room, workspace, family } = data;
  const price = enteredPrice(ctx, workspace.tax_codes, room);
  return (
    <FactCard
      of={[
        room.archived && ['Status', <Status value="archived" />],
        ['Open', describeOpeningHours(room)],
        [
          'Price',
          `${price(room.price_per_hour_minor)} per hour, ` +
            describeTax(ctx, workspace.tax_codes, room.tax_code),
        ],
        room.rates.length > 0 && ['Rates', `${room.rates.length}, applied before this price`],
        ['Bookings', `${formatLengths(room)}, starting ${describeGrid(room.slot_minutes)}`],
        room.turnaround_minutes > 0 && ['Buffer', `${room.turnaround_minutes} minutes after each booking`],
        family.parts.length > 0 && ['Parts', <RoomLinks ctx={ctx} rooms={family.parts} />],
        family.wholes.length > 0 && ['Part of', <RoomLinks ctx={ctx} rooms={family.wholes} />],
        room.capacity && ['Capacity', `${room.capacity} people`],
        [
          'Access',
          room.tiers
            ? `members: ${room.tiers.map((tier) => planName(workspace.plans, tier)).join(', ')}`
            : 'everyone, including guests',
        ],
      ]}
    />
  );
}

function RoomDetails({ room }: { room: RoomPage['room'] }) {
  return (
    <Details
      of={[
        [
          'Refunds',
          <>
            {describeRefundSteps(ENGLISH, room.refund_steps).map((sentence) => (
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
          `${formatDuration(ENGLISH, room.reminder_hours)} before the start`,
        ],
        ['Time zone', room.time_zone],
        ['ID', <Id of={room.id} />],
      ]}
    />
  );
}

function Blackouts({ page }: { page: PageProps<RoomPage> }) {
  const { ctx, data } = page;
  const { room, blackouts } = data;
  const at = pathIn(ctx, `/rooms/${room.id}/blackouts`);
  const { moment } = createFormats(ctx, room.time_zone);
  return (
    <>
      <div class="heading">
        <h2 id="blackouts">Blackouts</h2>
        <addBlackoutOfRoom.Drawer page={page} quiet />
      </div>
      {blackouts.length === 0 && (
        <Empty
          ctx={ctx}
          says="Nobody can book the room during a blackout, such as Christmas. None is planned."
        />
      )}
      {blackouts.map(({ id, start_at, end_at, reason }) => (
        <article key={id} id={id} class="card">
          <a href={`${at}/${id}`}>
            {moment(start_at)} – {moment(end_at)}
            {otherZone(ctx, room.time_zone)}
          </a>{' '}
          <span class="soft">{reason}</span>
          <Confirm ctx={ctx} summary="Delete" action={`${at}/${id}/delete`} button="Delete blackout">
            The room can be booked at this time again.
          </Confirm>
        </article>
      ))}
    </>
  );
}

function OneRoom(props: PageProps<RoomPage>) {
  const { ctx, data } = props;
  const { room, week, feed } = data;
  return (
    <>
      <div class="columns">
        <div>
          <h2>Next seven days</h2>
          <Week ctx={ctx} room={room} week={week} />
          <WeekLegend />
          {!room.archived && (
            <p class="links">
              <a href={pathIn(ctx, `/day?room_id=${room.id}`)}>Day list</a>
              <a href={pathIn(ctx, `/door-signs?room_id=${room.id}`)}>Door sign</a>
            </p>
          )}
          <Blackouts page={props} />
        </div>
        <div>
          <h2>Room</h2>
          <RoomFacts {...props} />
          <RoomDetails room={room} />
        </div>
      </div>
      <MetadataSection page={props} of={room.metadata} form={editMetadata} />
      <h2>In your calendar</h2>
      <CalendarAddress
        page={props}
        form={calendarAddress}
        url={feed}
        of="the bookings of this room"
        isHidden={!isProven(ctx.state.session!)}
      />
    </>
  );
}

/** A room's next week and its blackouts. Its other pages are for roles that may change it. */
export const roomPage = page<RoomPage>({
  path: '/rooms/:id',
  capability: 'write_blackouts',
  at: ({ role }) => (can(role, 'write_rooms') ? '/rooms' : '/calendar'),
  title: ({ room }) => room.name,
  tabs: roomTabs,
  primary: (props) => <copy.Drawer page={props} icon="copy" quiet />,
  load: readRoom,
  view: OneRoom,
  forms: [copy, editMetadata, addBlackoutOfRoom, calendarAddress],
});
