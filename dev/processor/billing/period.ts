/** A billing period of a subscription. Unix seconds. */
export interface Period {
  start: number;
  end: number;
}

const DAY_SECONDS = 86_400;

interface Rhythm {
  interval: string;
  interval_count: number;
}

/** The period that contains `now`, counted from the billing anchor. */
export function periodAt(anchor: number, rhythm: Rhythm, now: number): Period {
  let count = 0;
  while (after(anchor, rhythm, count + 1) <= now) count += 1;
  return { start: after(anchor, rhythm, count), end: after(anchor, rhythm, count + 1) };
}

/** The anchor plus `count` intervals. In a month that lacks the day, the last day of the month. */
function after(anchor: number, { interval, interval_count }: Rhythm, count: number): number {
  const steps = count * interval_count;
  const from = new Date(anchor * 1000);
  if (interval === 'day' || interval === 'week')
    return anchor + steps * (interval === 'week' ? 7 : 1) * DAY_SECONDS;
  const months = steps * (interval === 'year' ? 12 : 1);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(to.getTime() / 1000);
}
