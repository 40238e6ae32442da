import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { BookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import { BOOKING_WORDS } from '../../../domain/bookings/state.js';
import { sentenceCase } from '../../ui/formats.js';
import type { ApiContext } from '../../../api/http/context.js';
import { BookingTable } from '../shared/booking-table.js';
import { pathIn } from '../shared/paths.js';

/** How many unpaid bookings are shown before the list of all of them. */
const UNPAID_SHOWN = 5;

/**
 * Today's bookings by what happens next: who is here and until when, who arrives, and what is not paid yet.
 */
export function Today(props: {
  ctx: ApiContext;
  bookings: BookingRow[];
  /** Ids that the attention list already shows. */
  listed: ReadonlySet<string | null>;
  beside: BookingListFacts;
  now: Date;
  /** The person's own bookings. */
  own: boolean;
}) {
  const { ctx, bookings, listed, beside, now, own } = props;
  const isHold = ({ status }: BookingRow): boolean => status === 'pending_payment';
  const paid = bookings.filter((booking) => !isHold(booking));
  const parts: [name: string, bookings: BookingRow[]][] = [
    [
      'Here now',
      paid
        .filter(({ start_at, no_show_at }) => start_at <= now && !no_show_at)
        .toSorted((one, other) => one.end_at.getTime() - other.end_at.getTime()),
    ],
    ['Arriving today', paid.filter(({ start_at }) => start_at > now)],
    [
      sentenceCase(BOOKING_WORDS.pending_payment),
      bookings.filter((booking) => isHold(booking) && !listed.has(booking.id)),
    ],
  ];
  const shown = parts.filter(([, of]) => of.length > 0);
  if (shown.length === 0)
    return (
      <>
        <h2>Today</h2>
        <p class="soft">{own ? 'You have no bookings or holds today.' : 'No bookings or holds today.'}</p>
      </>
    );
  return (
    <>
      {shown.map(([name, of]) => {
        const first = of.every(isHold) ? of.slice(0, UNPAID_SHOWN) : of;
        return (
          <section key={name}>
            <h2>{name}</h2>
            <BookingTable ctx={ctx} bookings={first} beside={beside} />
            {first.length < of.length && (
              <p class="links">
                <a href={pathIn(ctx, '/bookings?status=pending_payment')}>All {of.length} unpaid bookings</a>
              </p>
            )}
          </section>
        );
      })}
    </>
  );
}
