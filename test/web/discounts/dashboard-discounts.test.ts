import test from 'ava';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { once } from '../../support/once.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { formatDateAsPages, daysAfter, NEXT_MONDAY } from '../../support/days.js';

const browser = once(launchBrowser);

test('an operator adds, changes and archives a discount code, and staff book with it', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  await page.goto(`${home}/discounts`);
  t.regex(await readMainText(page), /People enter a code when they book/);
  await page.click('button:text("New code")');
  await page.fill('#code', 'spring-10');
  await page.fill('#percent', '12.5');
  const lastDay = daysAfter(NEXT_MONDAY, 7);
  await page.fill('#valid_until', `${lastDay}T00:00`);
  await page.fill('#max_uses', '200');
  await picture(page, 'discounts-add');
  await page.click('button:text("Add code")');
  t.regex(await readMainText(page), /SPRING-10 has been added/);
  t.regex(
    await readMainText(page),
    new RegExp(`12\\.5%.*until ${formatDateAsPages(lastDay)}.*0 of 200`, 's'),
  );
  await page.setViewportSize({ width: 390, height: 780 });
  await picture(page, 'discount-phone');
  await page.setViewportSize({ width: 1000, height: 760 });

  await page.click('button:text("Edit")');
  await page.fill('#max_uses', 'many');
  await page.click('button:text("Save")');
  t.regex(await readMainText(page), /number of uses/i);
  await page.fill('#max_uses', '1');
  await page.fill('#max_uses_per_payer', '1');
  await page.click('button:text("Save")');
  t.regex(await readMainText(page), /SPRING-10 has been saved/);

  const fields = { room_id: room.id, start_at: `${NEXT_MONDAY}T10:00`, end_at: `${NEXT_MONDAY}T11:00` };
  await page.goto(`${home}/book?${new URLSearchParams(fields)}`);
  await page.fill('#email', uniqueEmail());
  await page.fill('#name', 'Grace Guest');
  await page.fill('#discount_code', 'SUMMER');
  await page.click('button:text("Review price")');
  t.regex(await readMainText(page), /The workspace does not have this code/);
  await page.fill('#discount_code', 'Spring-10');
  await page.click('button:text("Review price")');
  // 12.5 % of 25.00.
  t.regex(await readMainText(page), /Code SPRING-10, 12\.5%.*−£3\.1[23]/s);
  await picture(page, 'discounts-review');
  await page.click('button:text("Hold slot for")');
  t.regex(await readMainText(page), /Slot held/);

  await page.goto(`${home}/discounts`);
  t.regex(await readMainText(page), /SPRING-10.*1 of 1/s);
  await picture(page, 'discounts-list');
  await page.click('a:text("SPRING-10")');
  await page.click('button:text-is("Archive")');
  await page.click('button:text("Archive SPRING-10")');
  t.regex(await readMainText(page), /SPRING-10 can no longer be used/);
  const { body } = await api.get('/v1/discounts?include_archived=true');
  t.like(body.data[0]!, { code: 'SPRING-10', percent: 12.5, max_uses: 1, used: 1, archived: true });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
