import { ENGLISH } from '../../../domain/words/words.js';
import type { ApiContext } from '../../../api/http/context.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { lengthLimits, WEEKDAYS } from '../../../domain/bookings/slots.js';
import { wallClock } from '../../../domain/time-zone.js';
import { createFormats } from '../../ui/formats.js';
import type { Column, Part, PartKind } from './columns.js';

/** The signs distinguish the reasons for people who cannot tell the colours apart. */
const SIGNS: Record<Exclude<PartKind, 'free'>, string> = {
  closed: '⊘',
  blackout: '✕',
  rate: '⊘',
  past: '◂',
  buffer: '⇥',
  taken: '⊞',
  short: '↕',
  far: '▸',
};

/** Why a room is closed: it is archived, or its hours on this weekday. */
function closedReason(room: Column['room'], start: number): string {
  if (room.archived) return 'Archived room';
  const day = Math.floor(wallClock(start, room.time_zone) / DAY_MS);
  const hours = room.opening_hours?.[WEEKDAYS[(day + 4) % 7]!] ?? [];
  if (hours.length === 0) return 'Closed on this day';
  return `Closed, open ${hours.map((window) => window.join('–')).join(', ')}`;
}

function describePart({ kind, start, takenBy }: Part, room: Column['room']): string {
  switch (kind) {
    case 'closed':
      return closedReason(room, start);
    case 'rate':
      return 'Closed by a rate';
    case 'buffer':
      return `Buffer, ${ENGLISH.length(room.turnaround_minutes)}`;
    case 'taken':
      return `${takenBy.join(' and ')} booked`;
    case 'short':
      return `Too short, at least ${ENGLISH.length(lengthLimits(room).min)}`;
    case 'far':
      return 'Too far ahead';
    default:
      return 'Past';
  }
}

/** The reason why part of a day cannot be booked. A blackout links to its page. */
export function PartLabel(props: { ctx: ApiContext; part: Part; room: Column['room']; home: string }) {
  const { ctx, part, room, home } = props;
  if (part.kind === 'free') return null;
  const sign = <span aria-hidden="true">{SIGNS[part.kind]} </span>;
  if (part.kind !== 'blackout') {
    const reason = describePart(part, room);
    return (
      <span title={reason}>
        {sign}
        {reason}
      </span>
    );
  }
  return (
    <>
      {part.blackouts.map(({ id, end_at, reason, of }) => {
        const words = (
          <>
            {sign}
            Blackout {of && `of ${of.name} `}until {createFormats(ctx, room.time_zone).moment(end_at)}
            {reason && `: ${reason}`}
          </>
        );
        if (!can(ctx.state.membership!.role, 'write_blackouts')) return <span key={id}>{words}</span>;
        return (
          <a key={id} href={`${home}/rooms/${of?.room_id ?? room.id}/blackouts/${id}`}>
            {words}
          </a>
        );
      })}
    </>
  );
}
