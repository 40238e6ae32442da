import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import type { Range } from '../../../domain/bookings/slots.js';
import { toInstant } from '../../../domain/time-zone.js';
import { spanAt } from '../../../domain/utc-offsets.js';

/** A day in the local time of a room. */
export interface AxisDay {
  /** Its midnight, as if it were UTC. */
  midnight: number;
  time_zone: string;
}

/** A part of a day without a clock change, and its place on the axis. */
export interface Stretch extends Range {
  /** Minutes from the top of the axis. */
  top: number;
  /** The local time at its start, in minutes of the day. */
  wall: number;
}

export interface Place {
  top: number;
  minutes: number;
}

/**
 * A range of the axis that has no time on this day. `skipped`: clocks skip it; otherwise it is there because
 * another day repeats it.
 */
export type Gap = Place & { skipped: boolean };

/** The vertical axis of days side by side, to scale for each even if its clocks change. */
export interface Axis {
  minutes: number;
  hours: { minute: number; top: number; again: boolean }[];
  stretches: Stretch[][];
  gaps: Gap[][];
}

/** At minute `at` of the day, clocks go back by `minutes`. */
interface Repeat {
  at: number;
  minutes: number;
}

/** The instants of a day: 23 to 25 hours. */
export const rangeOfDay = ({ midnight, time_zone }: AxisDay): Range => ({
  start: toInstant(midnight, time_zone),
  end: toInstant(midnight + DAY_MS, time_zone),
});

/** The stretches of a day in the minutes of its own clock. */
function clockStretches(day: AxisDay): (Range & { wall: number })[] {
  const { start, end } = rangeOfDay(day);
  const stretches: (Range & { wall: number })[] = [];
  for (let at = start; at < end;) {
    const span = spanAt(at, day.time_zone);
    const until = Math.min(span.end, end);
    const wall = (at + span.offset - day.midnight) / MINUTE_MS;
    const before = stretches.at(-1);
    if (before && before.wall + (before.end - before.start) / MINUTE_MS === wall) before.end = until;
    else stretches.push({ start: at, end: until, wall });
    at = until;
  }
  return stretches;
}

const wallEnd = ({ start, end, wall }: Range & { wall: number }): number => wall + (end - start) / MINUTE_MS;

const findRepeats = (stretches: (Range & { wall: number })[]): Repeat[] =>
  stretches.flatMap((stretch, index) => {
    const at = index > 0 ? wallEnd(stretches[index - 1]!) : 0;
    return stretch.wall < at ? [{ at, minutes: at - stretch.wall }] : [];
  });

const isSame = (a: Repeat, b: Repeat): boolean => a.at === b.at && a.minutes === b.minutes;

const sum = (repeats: Repeat[]): number => repeats.reduce((total, { minutes }) => total + minutes, 0);

/**
 * The axis of days that are shown side by side. An hour that clocks repeat on one of them is added to all.
 */
export function buildAxis(days: AxisDay[]): Axis {
  const clocks = days.map(clockStretches);
  const repeats: Repeat[] = [];
  for (const repeat of clocks.flatMap(findRepeats))
    if (!repeats.some((each) => isSame(each, repeat))) repeats.push(repeat);
  const minutes = DAY_MINUTES + sum(repeats);
  const axisTop = (wall: number): number => wall + sum(repeats.filter(({ at }) => at <= wall));
  const stretches = clocks.map((clock) => placed(clock, repeats));
  const usual = Array.from({ length: DAY_MINUTES / 60 }, (_, hour) => hour * 60);
  const hours = [
    ...usual.map((minute) => ({ minute, top: axisTop(minute), again: false })),
    ...repeats.flatMap((repeat) =>
      usual
        .filter((minute) => minute >= repeat.at - repeat.minutes && minute < repeat.at)
        .map((minute) => ({ minute, top: axisTop(repeat.at) - (repeat.at - minute), again: true })),
    ),
  ].toSorted((a, b) => a.top - b.top);
  return { minutes, hours, stretches, gaps: stretches.map((each) => findGaps(each, minutes)) };
}

/** The stretches of a day on an axis with the repeats of all days, cut where another day repeats time. */
function placed(clock: (Range & { wall: number })[], repeats: Repeat[]): Stretch[] {
  const own = findRepeats(clock);
  const others = repeats.filter((repeat) => !own.some((each) => isSame(each, repeat)));
  return clock.flatMap((stretch, index) => {
    const passed = findRepeats(clock.slice(0, index + 1));
    const cuts = others.map(({ at }) => at).filter((at) => at > stretch.wall && at < wallEnd(stretch));
    const walls = [stretch.wall, ...cuts.toSorted((a, b) => a - b), wallEnd(stretch)];
    return walls.slice(0, -1).map((wall, part) => ({
      start: stretch.start + (wall - stretch.wall) * MINUTE_MS,
      end: stretch.start + (walls[part + 1]! - stretch.wall) * MINUTE_MS,
      wall,
      top: wall + sum(passed) + sum(others.filter(({ at }) => at <= wall)),
    }));
  });
}

function findGaps(stretches: Stretch[], minutes: number): Gap[] {
  const gaps: Gap[] = [];
  let top = 0;
  let wall = 0;
  for (const stretch of stretches) {
    if (stretch.top > top) gaps.push({ top, minutes: stretch.top - top, skipped: stretch.wall > wall });
    top = stretch.top + (stretch.end - stretch.start) / MINUTE_MS;
    wall = wallEnd(stretch);
  }
  if (top < minutes) gaps.push({ top, minutes: minutes - top, skipped: wall < DAY_MINUTES });
  return gaps;
}

/** The places of a time on the axis, split by gaps. `shown`: the visible part of the axis. */
export function findPlaces(stretches: Stretch[], range: Range, shown: { from: number; to: number }): Place[] {
  const places: Place[] = [];
  for (const { start, end, top } of stretches) {
    const at = (instant: number): number =>
      Math.min(shown.to, Math.max(shown.from, top + (instant - start) / MINUTE_MS));
    const from = at(Math.max(start, range.start));
    const to = at(Math.min(end, range.end));
    if (Math.max(start, range.start) >= Math.min(end, range.end) || from >= to) continue;
    const before = places.at(-1);
    if (before && before.top + before.minutes === from) before.minutes += to - from;
    else places.push({ top: from, minutes: to - from });
  }
  return places;
}
