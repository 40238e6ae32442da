import type { BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import { bookerOf } from '../shared/booking-table.js';
import type { ApiContext } from '../../../api/http/context.js';
import { formatsOf } from '../../ui/formats.js';
import { blocksOf, clockOf, STEP, type Block, type Column } from './columns.js';

/** A column with its heading. */
export interface HeadedColumn extends Column {
  heading: string;
  /** Where the heading leads. */
  href: string;
}

interface GridProps {
  columns: HeadedColumn[];
  members: Map<string, BookingMember>;
  home: string;
  ctx: ApiContext;
  /** Minutes of the day. */
  from: number;
  to: number;
}

const NAMES = { closed: 'Closed', past: 'Past', buffer: 'Buffer', short: 'Too short to book' };

/** The address of the form that books a time of a room. */
const bookingAt = (home: string, { room, midnight }: Column, minute: number): string => {
  const local = (at: number): string => new Date(midnight + at * MINUTE_MS).toISOString().slice(0, 16);
  const length = Math.max(60, room.min_minutes ?? 0);
  const query = { room_id: room.id, start_at: local(minute), end_at: local(minute + length) };
  return `${home}/book?${new URLSearchParams(query)}`;
};

function BlockContent(
  props: { block: Block; column: HeadedColumn } & Omit<GridProps, 'columns' | 'from' | 'to'>,
) {
  const { block, column, members, home, ctx } = props;
  if (block.kind === 'free')
    return (
      <a
        class="free"
        href={bookingAt(home, column, block.start)}
        aria-label={`Book ${column.heading} at ${clockOf(block.start)}`}
      >
        {clockOf(block.start)}
      </a>
    );
  if (block.kind === 'blackout')
    return (
      <>
        {block.blackouts.map(({ id, end_at, reason }) => (
          <a key={id} href={`${home}/rooms/${column.room.id}#${id}`}>
            Blackout until {formatsOf(ctx, column.room.time_zone).moment(end_at)}
            {reason && `: ${reason}`}
          </a>
        ))}
      </>
    );
  if (block.kind !== 'bookings') return <>{NAMES[block.kind]}</>;
  return (
    <>
      {block.bookings.map((booking) => (
        <a
          key={`${booking.id} ${booking.is_change}`}
          class={`slot ${booking.is_change ? 'change' : booking.status}`}
          href={`${home}/bookings/${booking.id}${booking.is_change ? '#pending-change' : ''}`}
        >
          {formatsOf(ctx).clocks(booking)} {bookerOf(booking, members).name ?? 'erased'}
          {booking.is_change
            ? ' (held for an unpaid change)'
            : booking.status === 'pending_payment' && ' (held)'}
        </a>
      ))}
    </>
  );
}

/** Rooms or days side by side, with a row for each half hour. */
export function Grid(props: GridProps) {
  const { columns, from, to } = props;
  const rows = Array.from({ length: (to - from) / STEP }, (_, index) => from + index * STEP);
  const blocks = columns.map((column) => blocksOf(column, from, to));
  return (
    <div class="scroll calendar" tabIndex={0} role="region" aria-label="Calendar">
      <table>
        <thead>
          <tr>
            <th>
              <span class="hidden">Time</span>
            </th>
            {columns.map(({ heading, href }) => (
              <th key={heading} scope="col">
                <a href={href}>{heading}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((minute) => (
            <tr key={minute}>
              <th scope="row">
                {minute % 60 === 0 ? clockOf(minute) : <span class="hidden">{clockOf(minute)}</span>}
              </th>
              {columns.map((column, index) => {
                const block = blocks[index]!.find(({ start }) => start === minute);
                if (!block) return null;
                return (
                  <td key={column.heading} class={block.kind} rowSpan={(block.end - block.start) / STEP}>
                    <BlockContent {...props} block={block} column={column} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The same as a list, for phones: what is in each room or day, with the free spans joined. */
export function Agenda(props: GridProps) {
  const { columns, from, to, home } = props;
  return (
    <div class="agenda">
      {columns.map((column) => (
        <section key={column.heading}>
          <h2>
            <a href={column.href}>{column.heading}</a>
          </h2>
          <ul class="plain card">
            {joined(blocksOf(column, from, to)).map((block) => (
              <li key={block.start} class={block.kind}>
                {block.kind === 'free' ? (
                  <a href={bookingAt(home, column, block.start)}>
                    Free {clockOf(block.start)}–{clockOf(block.end)}
                  </a>
                ) : (
                  <>
                    {block.kind !== 'bookings' && `${clockOf(block.start)}–${clockOf(block.end)} `}
                    <BlockContent {...props} block={block} column={column} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Free rows that follow each other as one. */
function joined(blocks: Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const before = result.at(-1);
    if (block.kind === 'free' && before?.kind === 'free') before.end = block.end;
    else result.push({ ...block });
  }
  return result;
}
