import test from 'ava';
import { utcDay } from '../../../domain/cycle.js';
import {
  calendarPath,
  listDays,
  periodName,
  findPeriod,
  type View,
} from '../../../web/dashboard/calendar/period.js';

const period = (view: View, day: string) => {
  const of = findPeriod(view, Date.parse(day));
  const days = listDays(of).map(utcDay);
  return {
    shown: [days[0], days.at(-1)],
    days: days.length,
    beside: [utcDay(of.previous), utcDay(of.next)],
    name: periodName(of, utcDay),
  };
};

test('a week begins on the Monday of its day, and a month is shown in whole weeks', (t) => {
  t.deepEqual(period('day', '2027-02-28'), {
    shown: ['2027-02-28', '2027-02-28'],
    days: 1,
    beside: ['2027-02-27', '2027-03-01'],
    name: '2027-02-28',
  });
  const week = { shown: ['2027-02-22', '2027-02-28'], days: 7, name: '2027-02-22 – 2027-02-28' };
  t.like(period('week', '2027-02-22'), { ...week, beside: ['2027-02-15', '2027-03-01'] });
  t.like(period('week', '2027-02-28'), { ...week, beside: ['2027-02-21', '2027-03-07'] });
  t.deepEqual(period('month', '2027-02-28'), {
    shown: ['2027-02-01', '2027-02-28'],
    days: 28,
    beside: ['2027-01-01', '2027-03-01'],
    name: 'February 2027',
  });
  t.like(period('month', '2027-05-31'), { shown: ['2027-04-26', '2027-06-06'], days: 42 });
  t.deepEqual(period('month', '2027-12-15').beside, ['2027-11-01', '2028-01-01']);
  t.like(period('week', '1970-01-01'), { shown: ['1969-12-29', '1970-01-04'] });
});

test('the address keeps the state, and leaves out what is not set', (t) => {
  const day = Date.parse('2027-02-28');
  t.is(calendarPath('/d', {}, day), '/d/calendar?view=day&day=2027-02-28');
  t.is(calendarPath('/d', { room_id: 'r' }, day), '/d/calendar?view=week&day=2027-02-28&room_id=r');
  t.is(
    calendarPath('/d', { view: 'month', room_id: 'r', page: 1, all: 'yes' }, day, { room_id: '' }),
    '/d/calendar?view=month&day=2027-02-28&all=yes',
  );
});
