import test from 'ava';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { reserve } from '../../support/scratch-database.js';
import { assertAccessible } from '../../support/axe.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { once } from '../../support/once.js';
import { db } from '../../support/stack.js';
import { newRoom } from '../../support/workspaces.js';
import { NEXT_MONDAY } from '../../support/days.js';

const browser = once(launchBrowser);

test('an operator enters the parts of a hall, conflicting bookings are listed, and the calendar shows what is taken', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api, id: workspace_id } = workspace;
  const named = (name: string) => newRoom(api, { name, time_zone: 'UTC' });
  const [hall, left, right] = [
    await named('Great hall'),
    await named('Left wing'),
    await named('Right wing'),
  ];
  const book = async (id: string, hour: number) => {
    const room = (await findRoom(db.manager, workspace_id, id))!;
    const at = (h: number) => `${NEXT_MONDAY}T${h}:00:00.000Z`;
    const booking = await reserve(db, room, { start_at: at(hour), end_at: at(hour + 2) });
    await db.query(`UPDATE bookings SET published_at = now() WHERE id = $1`, [booking]);
    return (await db.query(`SELECT id, reference FROM bookings WHERE id = $1`, [booking]))[0];
  };
  const [whole, part] = [await book(hall.id, 10), await book(left.id, 11)];
  await page.goto(`${home}/rooms/${hall.id}/settings`);
  const choose = async () => {
    await page.check('label:has-text("Left wing") input');
    await page.check('label:has-text("Right wing") input');
    await page.click(`form[action$="/parts"] button:text-is("Save")`);
  };
  await choose();
  const refused = await readMainText(page);
  t.regex(refused, /Bookings of these rooms overlap/);
  for (const { reference } of [whole, part]) t.true(refused.includes(reference));
  t.true(await page.isChecked('label:has-text("Left wing") input'), 'what was chosen is kept');
  await picture(page, 'parts-conflict');

  await db.query(`DELETE FROM bookings WHERE id = $1`, [part.id]);
  await page.goto(`${home}/rooms/${hall.id}/settings`);
  await choose();
  t.regex(await page.innerText('body'), /Great hall and its parts can no longer be booked at the same time/);
  await picture(page, 'parts');
  t.deepEqual((await api.get(`/v1/rooms/${hall.id}`)).body.parts, [left.id, right.id]);
  await page.goto(`${home}/rooms/${hall.id}`);
  await page.click('dd a:text("Left wing")');
  t.regex(await readMainText(page), /Part of\s+Great hall/);
  await page.click('.tabs a:text("Settings")');
  t.is(await page.locator('label:has-text("Great hall") input').count(), 0, 'it would be a part of itself');

  await api.post(`/v1/rooms/${hall.id}/blackouts`, {
    start_at: `${NEXT_MONDAY}T14:00:00Z`,
    end_at: `${NEXT_MONDAY}T15:00:00Z`,
  });
  await book(right.id, 16);
  await page.goto(`${home}/calendar?day=${NEXT_MONDAY}`);
  const column = (name: string) => page.locator(`.calendar section[aria-label="${name}"]`).innerText();
  t.regex(await column('Left wing'), /Great hall booked/);
  t.regex(await column('Left wing'), /Blackout of Great hall until/);
  t.notRegex(await column('Left wing'), /Right wing booked/);
  t.regex(await column('Great hall'), /Right wing booked/);
  await assertAccessible(t, page, 'a calendar of parts');
  await picture(page, 'parts-calendar');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
