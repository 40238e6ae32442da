import type { Day } from '../../../../domain/cycle.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { pathIn } from '../../shared/paths.js';
import { Segments } from '../../shared/segments.js';
import { dayPath } from './read-day.js';

/** The day list, the door signs and the calendar of a day. */
export function DayViews({ ctx, day, room_id }: { ctx: ApiContext; day: Day; room_id: string | undefined }) {
  const view = (name: string, path: string, of_room?: string) => {
    const address = pathIn(ctx, path);
    return {
      name,
      href: pathIn(ctx, dayPath(path, { day, room_id: of_room })),
      current: ctx.path === address,
    };
  };
  return (
    <Segments
      label="View"
      of={[
        view('Day list', '/day', room_id),
        view(room_id ? 'Door sign' : 'Door signs', '/door-signs', room_id),
        view('Calendar', '/calendar'),
      ]}
    />
  );
}
