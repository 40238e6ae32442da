import { previewDayMessage } from '../../../../commands/bookings/messages.js';
import { findRoom } from '../../../../db/queries/rooms/room.js';
import type { DayBooker } from '../../../../db/queries/bookings/message.js';
import type { Audience, NoMessage } from '../../../../domain/bookings/message.js';
import { groupBy } from '../../../../domain/group-by.js';
import { sendDayMessage } from '../../../../api/resources/bookings/messages/operations.js';
import { createFormats, listed } from '../../../ui/formats.js';
import { form } from '../../forms/form.js';
import { hidden } from '../../forms/inputs.js';
import { page, type PageProps } from '../../forms/page.js';
import { pathIn } from '../../shared/paths.js';
import { written } from '../booking-actions.js';
import { chosenDay, dayPath, dayQuery } from './read-day.js';

interface MessagePage {
  day: string;
  from: Date;
  room: { id: string; name: string } | null;
  audience: Audience<DayBooker>;
}

const bookers = (count: number): string => (count === 1 ? '1 booker' : `${count} bookers`);

const messageDay = form(
  sendDayMessage,
  {
    date: hidden(({ day }: MessagePage) => day),
    room_id: hidden(({ room }: MessagePage) => room?.id),
    ...written,
  },
  {
    button: ({ audience }: MessagePage) => `Send to ${bookers(audience.reached.length)}`,
    keepsQuery: true,
    notice: ({ object: { data } }) => `The message is being sent to ${bookers(data.length)}.`,
    to: (_, { submitted }) =>
      dayPath('/day', { day: String(submitted.date), room_id: submitted.room_id as string | undefined }),
  },
);

const REASONS: Record<NoMessage, string> = {
  cancelled: 'cancelled',
  erased: 'booker erased',
  unconfirmed: 'email address not confirmed',
};

/** `2 bookings get no email: 1 cancelled and 1 booker erased.` */
function describeSkipped(skipped: MessagePage['audience']['skipped']): string {
  const reasons = [...groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, of]) => `${of.length} ${REASONS[reason]}`,
  );
  const get = skipped.length === 1 ? '1 booking gets' : `${skipped.length} bookings get`;
  return `${get} no email: ${listed(reasons)}.`;
}

function Message(props: PageProps<MessagePage>) {
  const { ctx, data } = props;
  const { day, from, room, audience } = data;
  const { reached, skipped } = audience;
  const of = `${createFormats(ctx).day(from)}${room ? `, ${room.name}` : ''}`;
  return (
    <>
      <p>
        {of}: {reached.length === 0 ? 'nobody gets an email.' : `${bookers(reached.length)}, one email each.`}
        {skipped.length > 0 && ` ${describeSkipped(skipped)}`}
      </p>
      {reached.length > 0 && <messageDay.Open page={props} />}
      <p class="links">
        <a href={pathIn(ctx, dayPath('/day', { day, room_id: room?.id }))}>Day list</a>
      </p>
    </>
  );
}

/** Writes to the bookers of a day (docs/rules/bookings.md#messages), after saying who gets it. */
export const messageDayPage = page<MessagePage>({
  path: '/day/message',
  at: '/day',
  capability: 'all_bookings',
  query: dayQuery,
  title: 'Message bookers',
  async load(request, { db }) {
    const { workspace_id } = request.caller;
    const { day, room_id, from } = chosenDay(request);
    const room = room_id ? await findRoom(db.manager, workspace_id, room_id) : null;
    const audience = await previewDayMessage(db, workspace_id, { date: day, room_id: room?.id });
    return { day, from, room, audience };
  },
  view: Message,
  forms: [messageDay],
});
