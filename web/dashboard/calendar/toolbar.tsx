import type { ComponentChildren } from 'preact';
import { utcDay } from '../../../domain/cycle.js';
import { sentenceCase } from '../../ui/formats.js';
import { Icon } from '../../ui/icons.js';
import { Menu } from '../shared/menu.js';
import { Periods, Segments } from '../shared/segments.js';
import { calendarPath, chosenView, VIEWS, type CalendarQuery } from './period.js';
import { Legend } from './legend.js';
import type { Shown } from './shown.js';
import { roomTone } from './tones.js';

/** More rooms take too long to draw. */
export const ROOMS_SHOWN = 25;

type ToolbarProps = Pick<Shown, 'home' | 'query' | 'period' | 'today' | 'rooms'> & {
  /** Which of the pages of rooms. */
  page: number;
  /** The name of the room that is shown alone. */
  only?: string;
  /** Whether the member can change rooms, and whether they can close them. */
  setsRooms: boolean;
  closesRooms: boolean;
  /** Other actions. */
  children?: ComponentChildren;
};

/** Links to other periods, views and rooms. */
export function Toolbar(props: ToolbarProps) {
  const { home, query, period, today, page, rooms, only, setsRooms, closesRooms, children } = props;
  const view = chosenView(query);
  const to = (day: number, changes: CalendarQuery = {}): string =>
    calendarPath(home, { ...query, view, page }, day, changes);
  const isGrid = view === 'day' || (view === 'week' && query.room_id);
  return (
    <div class="toolbar">
      <Periods of={view} previous={to(period.previous)} today={to(today)} next={to(period.next)} />
      <Segments
        label="View"
        of={VIEWS.map((each) => ({
          href: to(period.day, { view: each }),
          name: sentenceCase(each),
          current: each === view,
        }))}
      />
      <Menu id="rooms" label={<RoomChosen {...{ rooms, query, only }} />}>
        <ul>
          <li>
            <a href={to(period.day, { room_id: '' })} aria-current={query.room_id ? undefined : 'true'}>
              <i />
              All rooms
            </a>
          </li>
          {rooms.map(({ id, name }) => (
            <li key={id}>
              <a
                href={to(period.day, { room_id: id, page: 1 })}
                aria-current={id === query.room_id ? 'true' : undefined}
              >
                <i class={roomTone(rooms, id)} />
                {name}
              </a>
            </li>
          ))}
        </ul>
      </Menu>
      <Menu id="date" label={<Icon name="calendar" />} name="Go to a date">
        <form action={`${home}/calendar`}>
          <Kept of={{ view, room_id: query.room_id, page: page > 1 ? page : undefined, all: query.all }} />
          <label for="day">Date</label>
          <input type="date" id="day" name="day" required value={utcDay(period.day)} />
          <button>Show</button>
        </form>
      </Menu>
      {isGrid && (
        <a class="button quiet" href={to(period.day, { all: query.all ? '' : 'yes' })}>
          {query.all ? 'Opening hours' : 'All 24 hours'}
        </a>
      )}
      {view === 'day' && !query.room_id && (
        <a class="button quiet" href={`${home}/day?day=${utcDay(period.day)}`}>
          Day list
        </a>
      )}
      {query.room_id && closesRooms && (
        <a class="button quiet" href={`${home}/rooms/${query.room_id}`}>
          {setsRooms ? 'Room settings' : 'Room'}
        </a>
      )}
      {children}
      <span class="end">
        <Menu id="key" label="?" name="Legend">
          <Legend tone={query.room_id ? roomTone(rooms, query.room_id) : 'tone-0'} />
        </Menu>
        <button type="button" class="quiet" id="print" aria-label="Print" hidden>
          <Icon name="print" />
        </button>
      </span>
      {!query.room_id && rooms.length > ROOMS_SHOWN && (
        <RoomPages {...{ page, rooms }} to={(other) => to(period.day, { page: other })} />
      )}
    </div>
  );
}

function RoomChosen({ rooms, query, only }: Pick<ToolbarProps, 'rooms' | 'query' | 'only'>) {
  return (
    <>
      {query.room_id && <i class={roomTone(rooms, query.room_id)} />}
      <span>{query.room_id ? (only ?? 'Room') : 'All rooms'}</span>
      <Icon name="expand" />
    </>
  );
}

/** Hidden fields for the query parameters that a form keeps. */
function Kept({ of }: { of: Record<string, string | number | undefined> }) {
  return (
    <>
      {Object.entries(of).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  );
}

/** Which of many rooms are shown, with links to the rooms before and after them. */
function RoomPages(props: { page: number; rooms: unknown[]; to: (page: number) => string }) {
  const { page, rooms, to } = props;
  const last = Math.min(page * ROOMS_SHOWN, rooms.length);
  return (
    <div class="links">
      {page > 1 && <a href={to(page - 1)}>← Previous rooms</a>}
      <span>
        Rooms {(page - 1) * ROOMS_SHOWN + 1}–{last} of {rooms.length}
      </span>
      {last < rooms.length && <a href={to(page + 1)}>Next rooms →</a>}
    </div>
  );
}
