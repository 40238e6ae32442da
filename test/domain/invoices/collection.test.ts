import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import {
  initialCollection,
  dueSteps,
  kindOfRefusal,
  nextCollectionStep,
  type CollectionFacts,
} from '../../../domain/invoices/collection.js';

const START = Date.UTC(2026, 0, 1);
const day = (n: number): Date => new Date(START + n * DAY_MS);

const FACTS: CollectionFacts = {
  is_due: true,
  due_at: day(10),
  started_at: day(0),
  card: null,
  refused: [],
  reminded_until: null,
  mailed_at: null,
  is_overdue: false,
};

/**
 * Runs a collection hour by hour for 40 days, with every charge refused with a code. Returns what happened on
 * which day.
 */
function run(
  facts: Partial<CollectionFacts>,
  refusal_code = 'insufficient_funds',
  from = 0,
): [number, string][] {
  const now: CollectionFacts = { ...FACTS, ...facts };
  const log: [number, string][] = [];
  for (let hour = from * 24; hour <= 40 * 24;) {
    const at = new Date(START + (hour / 24) * DAY_MS);
    const step = nextCollectionStep(now, at);
    if (step.do === 'end') break;
    if (step.do === 'wait') {
      hour++;
      continue;
    }
    log.push([hour / 24, step.do]);
    if (step.do === 'charge')
      now.refused = [...now.refused, { at, payment_method_id: now.card!, refusal_code }];
    if (step.do === 'mark_overdue') now.is_overdue = true;
    if (step.do === 'remind') {
      now.reminded_until = step.at;
      now.mailed_at = at;
    }
  }
  return log;
}
const loggedDays = (log: [number, string][], what: string): number[] =>
  log.filter(([, step]) => step === what).map(([at]) => at);

test('a card that may succeed later is charged at the due date and after 1, 3 and 7 days', (t) => {
  const log = run({ card: 'pm_1' });
  t.deepEqual(loggedDays(log, 'charge'), [10, 11, 13, 17]);
  t.deepEqual(loggedDays(log, 'remind'), [7, 10, 11, 13, 17]);
  t.deepEqual(loggedDays(log, 'mark_overdue'), [17]);
});

test('a hard refusal and a request for authentication end the charges, and reminders continue', (t) => {
  for (const code of ['stolen_card', 'expired_card', 'authentication_required']) {
    const log = run({ card: 'pm_1' }, code);
    t.deepEqual(loggedDays(log, 'charge'), [10], code);
    t.deepEqual(loggedDays(log, 'remind'), [7, 10, 11, 13, 17], code);
    t.deepEqual(loggedDays(log, 'mark_overdue'), [17], code);
  }
  t.is(kindOfRefusal('a_code_of_next_year'), 'retry');
});

test('without a card there are reminders before and after the due date, and a new card is charged immediately', (t) => {
  const log = run({});
  t.deepEqual(log, [
    [7, 'remind'],
    [11, 'remind'],
    [13, 'remind'],
    [17, 'remind'],
    [17, 'mark_overdue'],
  ]);
  const refused = [{ at: day(10), payment_method_id: 'pm_old', refusal_code: 'stolen_card' }];
  t.deepEqual(nextCollectionStep({ ...FACTS, card: 'pm_new', refused }, day(20)), { do: 'charge' });
  t.deepEqual(nextCollectionStep({ ...FACTS, is_due: false }, day(20)), { do: 'end' });
});

test('after an outage there is one mail, and at most one a day whenever it begins', (t) => {
  t.deepEqual(loggedDays(run({}, undefined, 30), 'remind'), [30]);
  for (let begin = 0; begin < 25; begin++)
    for (const card of [null, 'pm_1']) {
      const mails = loggedDays(run({ card }, 'generic_decline', begin), 'remind');
      for (const [n, at] of mails.entries()) if (n > 0) t.true(at - mails[n - 1]! >= 1, `${begin} ${mails}`);
    }
});

test('a reminder due too soon after the latest mail waits a day, not until the final reminder', (t) => {
  const late = { ...FACTS, reminded_until: day(11), mailed_at: day(12.5) };
  const next = (facts: CollectionFacts, at: number) => nextCollectionStep(facts, day(at));
  t.deepEqual(next(late, 12.9), { do: 'wait', until: day(13.5), status: 'reminding' });
  t.deepEqual(next(late, 13.2), { do: 'wait', until: day(13.5), status: 'reminding' });
  t.deepEqual(next(late, 13.5), { do: 'remind', at: day(13) });
  // The bank answers faster than on the day before.
  const refused = [
    { at: day(10), payment_method_id: 'pm_1', refusal_code: 'insufficient_funds' },
    { at: day(11), payment_method_id: 'pm_1', refusal_code: 'authentication_required' },
  ];
  const mailed = { ...FACTS, card: 'pm_1', refused, reminded_until: day(10), mailed_at: day(10.0001) };
  t.deepEqual(next(mailed, 11.00005), { do: 'wait', until: day(11.0001), status: 'action_required' });
});

test('steps that are only stored are taken together, up to a charge or the next time', (t) => {
  const { reached, next } = dueSteps(FACTS, day(17));
  t.like(reached, { reminded_until: day(17), mailed_at: day(17), is_overdue: true });
  t.deepEqual(next, { do: 'wait', until: null, status: 'overdue' });
  const due = { ...FACTS, card: 'pm_1' };
  t.deepEqual(dueSteps(due, day(7)).next, { do: 'wait', until: day(10), status: 'scheduled' });
  t.deepEqual(dueSteps(due, day(10)), { reached: due, next: { do: 'charge' } });
});

test('an overdue invoice is retried while a new card is to be charged again', (t) => {
  const refused = [{ at: day(20), payment_method_id: 'pm_2', refusal_code: 'insufficient_funds' }];
  const overdue = { ...FACTS, is_overdue: true, card: 'pm_2', refused, reminded_until: day(20) };
  t.deepEqual(nextCollectionStep(overdue, day(20)), { do: 'wait', until: day(21), status: 'retrying' });
  const given_up = { ...overdue, card: null };
  t.like(nextCollectionStep(given_up, day(20)), { do: 'wait', status: 'overdue' });
});

test('an invoice is overdue 7 days after its due date, whenever it was opened', (t) => {
  for (const [opened, overdue] of [
    [14, 17],
    [20, 20],
  ] as const) {
    const started_at = day(opened);
    t.deepEqual(loggedDays(run({ started_at }, undefined, opened), 'mark_overdue'), [overdue]);
    const refused = run({ started_at, card: 'pm_1' }, 'stolen_card', opened);
    t.deepEqual(loggedDays(refused, 'charge'), [opened]);
    t.deepEqual(loggedDays(refused, 'mark_overdue'), [overdue]);
  }
});

test('a new collection shows its first step', (t) => {
  const at = (due: number, card: string | null) => initialCollection({ due_at: day(due), card }, day(10));
  t.deepEqual(at(20, null), { status: 'scheduled', next_at: day(17) });
  t.deepEqual(at(12, 'pm_1'), { status: 'scheduled', next_at: day(12) });
  t.deepEqual(at(12, null), { status: 'scheduled', next_at: day(13) });
  t.deepEqual(at(10, 'pm_1'), { status: 'scheduled', next_at: day(10) });
  t.deepEqual(at(9, null), { status: 'reminding', next_at: day(11) });
  t.deepEqual(at(1, null), { status: 'scheduled', next_at: day(10) });
});
