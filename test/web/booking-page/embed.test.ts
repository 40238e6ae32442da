import test from 'ava';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { hoursLater } from '../../support/bookings.js';
import { newPage, picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard } from '../../support/dashboard.js';
import { serveSite } from '../../support/other-site.js';
import { chooseDay } from '../../support/time-choice.js';
import { dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const newSlug = (): string => `house-${randomUUID().slice(0, 8)}`;
const siteWith = (snippet: string): string =>
  `<!doctype html><title>Harbour House</title><h1>Our rooms</h1>${snippet}<p>Footer</p>`;

test('a public guest books in a frame of another site, which grows with its page, and pays at top level', async (t) => {
  const { workspace, page: staff, home } = await openDashboard(browser);
  await newRoom(workspace.api, { name: 'Garden room' });
  let snippet = '';
  const origin = await serveSite(t, () => siteWith(snippet));
  const slug = newSlug();
  await workspace.api.put('/v1/booking-page', { slug });
  await staff.goto(`${home}/booking-page`);
  t.is(await staff.locator('#embed-snippet').count(), 0, 'no site is named');
  await staff.fill('[name=embed_origins]', origin);
  await staff.click('button:text("Save")');
  await staff.locator('#embed-snippet').waitFor();
  await picture(staff, 'dashboard-embed');
  t.true(await staff.locator('button[data-copies=embed-snippet]').isVisible());
  snippet = await staff.locator('#embed-snippet').innerText();
  await staff.context().close();

  const page = await newPage(browser);
  await page.goto(origin);
  const frame = page.frameLocator('iframe');
  await frame.locator('ul.rooms').waitFor();
  const heights = (): Promise<[number, number]> =>
    page
      .frames()[1]!
      .evaluate('document.body.getBoundingClientRect().height')
      .then(async (inside) => [
        Math.ceil(inside as number),
        (await page.locator('iframe').boundingBox())!.height,
      ]);
  const isAsHigh = async (): Promise<void> => {
    await page.waitForFunction(
      "(() => { const [frame] = document.getElementsByTagName('iframe'); return " +
        "frame.style.height !== '24rem'; })()",
    );
    await until(async () => {
      const [inside, outside] = await heights();
      return inside === outside;
    });
  };
  await isAsHigh();
  const [first] = await heights();
  await picture(page, 'embed-rooms');
  await frame.locator(`text=${message('page.choose_time')}`).click();
  await chooseDay(frame, hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10));
  await frame.locator('ul.times a').nth(18).waitFor();
  await isAsHigh();
  t.not((await heights())[0], first, 'another page, another height');
  await picture(page, 'embed-times');
  await frame.locator('ul.times a').nth(18).click();
  await frame.locator('#name').fill('Grace Guest');
  const email = uniqueEmail();
  await frame.locator('#email').fill(email);
  await isAsHigh();
  t.deepEqual(await page.context().cookies(), [], 'no cookie');
  await frame.locator(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`).click();
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 1);
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('a site that is not listed cannot show the page, and no other frame changes the height', async (t) => {
  const { api } = await newWorkspace();
  await newRoom(api);
  const slug = newSlug();
  const snippet = `<script async src="${dev.baseUrl}/book/embed.js" data-page="${slug}"></script>`;
  const origin = await serveSite(t, () => siteWith(`${snippet}<iframe srcdoc="Advertisement"></iframe>`));
  await api.put('/v1/booking-page', { slug, embed_origins: ['https://www.harbour.example'] });
  const page = await newPage(browser);
  await page.goto(origin);
  await until(() => page.complaints.some((complaint) => complaint.includes('frame-ancestors')));
  // Messages arrive in the order in which they are sent.
  await page.evaluate(`void (window.heard = new Promise((resolve) => {
    addEventListener('message', ({ data }) => data === 'after' && resolve());
  }))`);
  const outsider = page.frames().find((other) => other.url() === 'about:srcdoc')!;
  await outsider.evaluate(`parent.postMessage({ holdfastHeight: 7777 }, '*')`);
  await outsider.evaluate(`parent.postMessage('after', '*')`);
  await page.evaluate('heard');
  const frame = page.locator('iframe').first();
  t.is((await frame.boundingBox())!.height, 24 * 16, 'as it was');
  await page.close();
});

test('a page in a frame is transparent, in the colours of its site, and says nothing that the site has said', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour House' });
  await newRoom(api, { name: 'Garden room' });
  const slug = newSlug();
  let [attribute, declared] = ['', ''];
  const origin = await serveSite(
    t,
    () =>
      `<!doctype html><style>:root { color-scheme: ${declared} } body { background: #fde68a }</style>` +
      '<h1>Our rooms</h1>' +
      `<script async src="${dev.baseUrl}/book/embed.js" data-page="${slug}" ${attribute}></script>`,
  );
  await api.put('/v1/booking-page', { slug, embed_origins: [origin] });
  const page = await newPage(browser);
  /** The scheme of the frame and of its page, and whether that is dark. */
  const show = async (site: { attribute?: string; declared?: string }, visitor: 'light' | 'dark') => {
    attribute = site.attribute ? `data-color-scheme="${site.attribute}"` : '';
    declared = site.declared ?? 'normal';
    await page.emulateMedia({ colorScheme: visitor });
    await page.goto(origin);
    await page.frameLocator('iframe').locator('ul.rooms').waitFor();
    const [frame, ink, background] = await page.frames()[1]!.evaluate<[string, string, string]>(
      `(() => {
        const [html, body] = ['html', 'body'].map((of) => getComputedStyle(document.querySelector(of)));
        return [html.colorScheme, body.color, body.backgroundColor];
      })()`,
    );
    t.is(background, 'rgba(0, 0, 0, 0)', 'transparent');
    const outside = await page.locator('iframe').evaluate((each) => each.style.colorScheme as string);
    t.is(outside, frame, 'else browsers draw a background');
    return `${frame} ${ink === 'rgb(22, 25, 29)' ? 'light' : 'dark'}`;
  };
  t.is(await show({}, 'dark'), 'light light', 'a site that declares nothing');
  t.is(await show({ declared: 'light dark' }, 'dark'), 'light dark dark');
  t.is(await show({ declared: 'dark' }, 'light'), 'dark dark');
  t.is(await show({ attribute: 'light', declared: 'light dark' }, 'dark'), 'light light');
  t.is(await show({ attribute: 'auto' }, 'light'), 'light dark light');
  t.is(await show({ attribute: 'dark' }, 'light'), 'dark dark');
  await picture(page, 'embed-dark');
  const frame = page.frameLocator('iframe');
  t.is(await frame.locator('.wordmark, body > footer').count(), 0);
  t.true((await frame.locator('h1').boundingBox())!.height <= 1, 'for screen readers only');
  await frame.locator(`text=${message('page.choose_time')}`).click();
  await frame.locator('.month').waitFor();
  const followed = await page
    .frames()[1]!
    .evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
  t.is(followed, 'dark', 'the next page, too');
  await frame.locator('ul.times a').first().click();
  const action = await frame.locator('form.booking').getAttribute('action');
  t.false(action!.includes('frame='), 'what opens at top level is not in a frame');
  t.deepEqual(page.complaints, []);
  await page.close();
});
