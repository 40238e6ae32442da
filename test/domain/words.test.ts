import test from 'ava';
import { describedIn } from '../../domain/bookings/words.js';
import { membershipLine, upgradeLine } from '../../domain/members/plans.js';
import { formatHourCredits } from '../../domain/display.js';
import { LANGUAGES, preferredLanguage, type Language } from '../../domain/words/languages.js';
import { getWords } from '../../domain/words/words.js';

test('amounts, times and plurals follow the conventions of each language', (t) => {
  const span = {
    start_at: new Date('2026-11-24T09:00:00Z'),
    end_at: new Date('2026-11-24T10:30:00Z'),
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
  };
  const now = new Date('2026-11-01T00:00:00Z');
  const said = LANGUAGES.map((language) => {
    const words = getWords(language);
    return [
      words.amount(123_450, 'EUR').replaceAll('\u00a0', ' '),
      words.time(span, now),
      words.credits(1),
      words.credits(2),
      words.listed(['A', 'B', 'C']),
    ];
  });
  t.deepEqual(said, [
    ['€1,234.50', 'Tue 24 Nov, 10:00–11:30 (Europe/Berlin)', '1 hour credit', '2 hour credits', 'A, B and C'],
    [
      '1.234,50 €',
      'Di., 24. Nov., 10:00–11:30 (Europe/Berlin)',
      '1 Guthabenstunde',
      '2 Guthabenstunden',
      'A, B und C',
    ],
    [
      '1 234,50 €',
      'mar. 24 nov., 10:00–11:30 (Europe/Berlin)',
      '1 heure de crédit',
      '2 heures de crédit',
      'A, B et C',
    ],
    [
      '1234,50 €',
      'mar, 24 nov, 10:00–11:30 (Europe/Berlin)',
      '1 hora de crédito',
      '2 horas de crédito',
      'A, B y C',
    ],
  ]);
});

test('a deadline has its day unless that is today where the room is', (t) => {
  const place = { time_zone: 'Europe/Berlin', currency: 'EUR' };
  const now = new Date('2026-11-23T22:30:00Z');
  const said = (at: string) =>
    LANGUAGES.map((language) => getWords(language).deadline(new Date(at), place, now));
  t.deepEqual(said('2026-11-23T22:45:00Z'), ['23:45', '23:45', '23:45', '23:45']);
  t.deepEqual(
    said('2026-11-23T23:00:00Z'),
    ['Tue 24 Nov, 00:00', 'Di., 24. Nov., 00:00', 'mar. 24 nov., 00:00', 'mar, 24 nov, 0:00'],
    'midnight in Berlin',
  );
  t.is(getWords('en').deadline(new Date('2026-11-22T22:45:00Z'), place, now), 'Sun 22 Nov, 23:45');
  t.is(getWords('en').deadline(new Date('2025-11-23T22:45:00Z'), place, now), 'Sun 23 Nov 2025, 23:45');
});

test('the dates in a line’s description are in the language of its reader', (t) => {
  const line = 'Kajüte, 3 Mar 2027, 09:00–10:00 (Europe/London)';
  t.is(describedIn(getWords('en'), line), line);
  t.is(describedIn(getWords('de'), line), 'Kajüte, 3. März 2027, 09:00–10:00 (Europe/London)');
  t.is(
    describedIn(getWords('fr'), `2 × ${line} – 1 Aug 2027`),
    '2 × Kajüte, 3 mars 2027, 09:00–10:00 (Europe/London) – 1 août 2027',
  );
});

test('text that the service writes into a line is in the language of its reader', (t) => {
  const period = { start: '2026-11-27', end: '2026-12-27' };
  const plan = membershipLine({}, { tier: 'pro', id: 'mem_1' }, period);
  const upgrade = upgradeLine({}, { from: 'plus', to: 'pro', id: 'mem_1' }, { ...period, end: '2027-01-12' });
  const credits = [formatHourCredits(1), formatHourCredits(2.5)];
  const codes = ['Code SUMMER-27', 'Code SUMMER-27, 12.5%', 'Code of conduct'];
  const lines = [plan, upgrade, ...credits, ...codes, 'Gold membership, since May'];
  t.deepEqual(
    lines.map((line) => describedIn(getWords('en'), line)),
    lines,
  );
  t.deepEqual(
    lines.map((line) => describedIn(getWords('de'), line)),
    [
      'Mitgliedschaft Pro, 27. Nov. 2026 – 26. Dez. 2026 (mem_1)',
      'Höherstufung der Mitgliedschaft von Plus auf Pro, 27. Nov. 2026 – 11. Jan. 2027 (mem_1)',
      '1 Guthabenstunde',
      '2,5 Guthabenstunden',
      'Code SUMMER-27',
      'Code SUMMER-27, 12,5\u00a0%',
      'Code of conduct',
      'Gold membership, since May',
    ],
  );
});

test('the lines of changes, cancellations, refunds and disputes are in the language of their reader', (t) => {
  const booking = 'Blue room, 3 Mar 2027, 09:00–10:00 (Europe/London)';
  const lines = [
    'Refund of HH-35',
    'Dispute of a payment of HH-35',
    'Returned after a dispute of a payment of HH-35',
    'Cancels HH-35-C1',
    `Difference for the change to ${booking}`,
    'Difference for Lunch',
    `Instead of ${booking}`,
    `Changed to ${booking}`,
    `Cancelled: ${booking}, 33.33 %`,
    'Cancelled: Difference for Lunch, 50 %',
    'Refund of the deposit',
  ];
  const read = (language: Language) => lines.map((line) => describedIn(getWords(language), line));
  t.deepEqual(read('en'), lines);
  const gebucht = 'Blue room, 3. März 2027, 09:00–10:00 (Europe/London)';
  t.deepEqual(read('de'), [
    'Erstattung zu HH-35',
    'Anfechtung einer Zahlung zu HH-35',
    'Zurückerhalten nach Anfechtung einer Zahlung zu HH-35',
    'Storno von HH-35-C1',
    `Differenz für die Änderung auf ${gebucht}`,
    'Differenz für Lunch',
    `Statt ${gebucht}`,
    `Geändert auf ${gebucht}`,
    `Storniert: ${gebucht}, 33,33\u00a0%`,
    'Storniert: Differenz für Lunch, 50\u00a0%',
    'Refund of the deposit',
  ]);
  for (const language of ['fr', 'es'] as const)
    for (const [n, line] of read(language).entries())
      t.is(line === lines[n], line === 'Refund of the deposit', line);
});

test('a message with marked parts is a list of texts and parts', (t) => {
  t.deepEqual(getWords('de').rich('page.accept_terms', { a: (text) => ({ link: text }) }), [
    'Ich akzeptiere die ',
    { link: 'Bedingungen' },
    '.',
  ]);
});

test('a value in a message is text, whatever it contains', (t) => {
  t.is(getWords('en').say('mail.hello_name', { name: '<b>{x}</b>' }), 'Hello <b>{x}</b>,');
});

test('a browser gets the language it prefers among those offered', (t) => {
  const preferred = (header: string, offered = LANGUAGES): string | null =>
    preferredLanguage(header, offered);
  t.is(preferred('de-AT,de;q=0.9,en;q=0.8'), 'de');
  t.is(preferred('nl, en;q=0.3, fr;q=0.7'), 'fr');
  t.is(preferredLanguage('de, en;q=0.5', ['en', 'fr']), 'en');
  t.is(preferred('de;q=0, es'), 'es');
  t.is(preferred('*'), null);
  t.is(preferred(''), null);
  t.is(preferred('x;q=oops,'.repeat(1_000)), null);
});
