import test from 'ava';
import { openOffice, pageText } from '../../support/dashboard.js';
import { daysAfter, NEXT_MONDAY } from '../../support/days.js';
import { newRoom } from '../../support/workspaces.js';

const named = (n: number): string => `Room ${String(n).padStart(2, '0')}`;

test('the calendar shows 25 rooms at a time, and the others on further pages of the same day', async (t) => {
  const { workspace, session, home } = await openOffice();
  const shownOn = async (query: string) => {
    const html = await session.getText(`${home}/calendar?${query}`);
    const headings = [...html.matchAll(/data-name="([^"]+)"/g)].map(([, name]) => name!);
    return { html, headings, words: pageText(html) };
  };
  for (let n = 1; n <= 25; n++) await newRoom(workspace.api, { name: named(n) });
  const all = await shownOn(`day=${NEXT_MONDAY}`);
  t.is(all.headings.length, 25);
  t.notRegex(all.words, /Rooms 1–25/, 'one page needs no links to others');

  for (let n = 26; n <= 51; n++) await newRoom(workspace.api, { name: named(n) });
  const first = await shownOn(`day=${NEXT_MONDAY}`);
  t.deepEqual(
    first.headings,
    Array.from({ length: 25 }, (_, n) => named(n + 1)),
  );
  t.regex(first.words, /Rooms 1–25 of 51 Next rooms →/);
  const more = /href="([^"]+)">Next rooms/.exec(first.html)![1]!.replaceAll('&amp;', '&');
  t.is(more, `${home}/calendar?view=day&day=${NEXT_MONDAY}&page=2`);

  const second = await shownOn(`day=${NEXT_MONDAY}&page=2&all=yes`);
  t.deepEqual(
    second.headings,
    Array.from({ length: 25 }, (_, n) => named(n + 26)),
  );
  t.regex(second.words, /← Previous rooms Rooms 26–50 of 51 Next rooms →/);
  t.true(
    second.html.includes(`calendar?view=day&amp;day=${daysAfter(NEXT_MONDAY, 1)}&amp;page=2&amp;all=yes`),
    'the next day has the same rooms',
  );
  t.true(second.html.includes('name="page" value="2"'), 'another day is chosen for the same rooms');
  t.regex(second.html, /id="grid"[^>]*data-self="[^"]*page=2/, 'what the script draws again');
  t.is((second.html.match(/<i class="tone-\d"/g) ?? []).length, 51, 'each room can be chosen');

  t.deepEqual((await shownOn(`day=${NEXT_MONDAY}&page=99`)).headings, [named(51)], 'the last page');
  t.is((await session.get(`${home}/calendar?page=0`)).status, 422);
});
