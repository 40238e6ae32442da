import type { RoomRate } from '../../../domain/rates/rates.js';
import { spaced } from '../../ui/formats.js';
import { DAY_NAMES, formatLength, WEEK } from '../rooms/words.js';

type Amount = (minor: number) => string;

/** `Monday, Friday, 18:00–23:00, 1 Jan to 3 Feb` */
export function describeWindow({ days, from, to, dates }: RoomRate): string {
  const parts = [
    days && days.length < 7
      ? WEEK.filter((day) => days.includes(day))
          .map((day) => DAY_NAMES[day])
          .join(', ')
      : 'Every day',
  ];
  if (from && to) parts.push(`${from}–${to}${to <= from ? ' the next day' : ''}`);
  if (dates?.from || dates?.to)
    parts.push(
      [dates.from && `from ${dates.from}`, dates.to && `until ${dates.to}`].filter(Boolean).join(' '),
    );
  return parts.join(', ');
}

/** The audience of a rate and the bookings that it applies to. */
export function describeAudience({ audience, min_minutes, notice }: RoomRate): string {
  const { kind, tiers, company_ids } = audience;
  const parts = [
    kind === 'members' && tiers ? `members: ${tiers.map(spaced).join(', ')}` : kind,
    company_ids && `of ${company_ids.length === 1 ? 'one company' : `${company_ids.length} companies`}`,
    min_minutes !== null && `bookings of at least ${formatLength(min_minutes)}`,
    notice?.min_minutes && `booked at least ${formatLength(notice.min_minutes)} before`,
    notice?.max_days !== null && notice && `booked at most ${notice.max_days} days before`,
  ];
  return parts.filter(Boolean).join(', ');
}

const PER = { hour: 'an hour', flat: 'flat', day: 'a day' } as const;

/** `£40.00 an hour` */
export const formatRateAmount = ({ unit, amount_minor }: RoomRate, amount: Amount): string =>
  `${amount(amount_minor)} ${PER[unit]}`;

/** `£40.00 an hour, at most £200.00 a day` */
export function describeRatePrice(rate: RoomRate, amount: Amount): string {
  if (rate.closed) return 'closed';
  const { always, minimum_minor, cap_minor, day_cap_minor, accounting_account } = rate;
  const parts = [
    formatRateAmount(rate, amount),
    always && 'even if hourly costs less',
    minimum_minor !== null && `at least ${amount(minimum_minor)}`,
    day_cap_minor !== null && `at most ${amount(day_cap_minor)} a day`,
    cap_minor !== null && `at most ${amount(cap_minor)} a booking`,
    accounting_account && `account ${accounting_account}`,
  ];
  return parts.filter(Boolean).join(', ');
}
