import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser, Locator } from 'playwright-core';
import { newPage, picture, readHeading, type WatchedPage } from '../support/browser.js';
import { openDashboard, readMainText, type Scene, findRow } from '../support/dashboard.js';
import { client } from '../support/api-client.js';
import { bookingBody, pay, untilStatus } from '../support/bookings.js';
import { storeMembers } from '../support/rows.js';
import { db, dev } from '../support/stack.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';
import { newMember } from '../support/people.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

/** What a page says about a refused form, once it is shown again. */
async function alertTexts(page: WatchedPage): Promise<string[]> {
  const texts = page.locator('[role=alert] p');
  await texts.first().waitFor();
  return texts.allTextContents();
}

/**
 * Forms that create a secret: how each is submitted, where the secret is shown, and how many were created.
 */
const ONCE: Record<
  string,
  {
    send(page: WatchedPage, home: string): Promise<string>;
    secret: string;
    again: RegExp;
    madeBy(scene: Scene): Promise<number>;
  }
> = {
  'a new key': {
    send: async (page, home) => {
      await page.goto(`${home}/keys`);
      await page.click('button:text("New key")');
      await page.fill('#name', 'Door display');
      return 'button:text("Create key")';
    },
    secret: '#token',
    again: /^Door display was already created$/,
    madeBy: ({ workspace }) => countActions(workspace, 'api_key.created'),
  },
  'a rotation': {
    send: async (page, home) => {
      await page.goto(`${home}/keys`);
      await findRow(page, 'Till').locator('button:text("Replace token")').first().click();
      return '.drawer:popover-open button:text("Replace token")';
    },
    secret: '#token',
    again: /^The token was already replaced$/,
    madeBy: ({ workspace }) => countActions(workspace, 'api_key.rotated'),
  },
  'an application': {
    send: async (page, home) => {
      await page.goto(`${home}/applications`);
      await page.click('button:text("New application")');
      await page.fill('#name', 'Calendar friend');
      await page.fill('#redirect_uris', 'https://app.example/callback');
      return 'button:text-is("Register")';
    },
    secret: '#client_secret',
    again: /^Calendar friend was already registered$/,
    madeBy: ({ workspace }) => countActions(workspace, 'oauth_client.created'),
  },
  'a webhook secret': {
    send: async (page, home) => {
      await page.goto(`${home}/webhooks`);
      await page.click('button:text("Replace secret")');
      return '.drawer:popover-open button:text("Replace secret")';
    },
    secret: '#secret',
    again: /^The secret was already replaced$/,
    madeBy: ({ workspace }) => countActions(workspace, 'webhook_endpoint.secret_rotated'),
  },
};

async function countActions({ api }: Scene['workspace'], action: string): Promise<number> {
  return (await api.get(`/v1/audit-log?action=${action}`)).body.data.length;
}

/** Submits the form of a button twice at once, and returns which of the two the page prevents. */
const submitTwice = (button: Locator): Promise<boolean[]> =>
  button.evaluate(({ form }: HTMLButtonElement) => {
    const seen: boolean[] = [];
    addEventListener('submit', (event) => {
      seen.push(event.defaultPrevented);
      event.preventDefault();
    });
    form!.requestSubmit();
    form!.requestSubmit();
    return seen;
  });

test('a form that shows a secret takes effect once, despite a reload or a second click', async (t) => {
  const scene = await openDashboard(browser);
  const { workspace, page, home } = scene;
  await workspace.api.put('/v1/webhook-endpoint', { url: 'http://127.0.0.1:9/' });
  await workspace.api.post('/v1/api-keys', { name: 'Till' });
  for (const [what, { send, secret, again, madeBy }] of Object.entries(ONCE)) {
    const before = await madeBy(scene);
    await page.click(await send(page, home));
    const shown = await page.locator(secret).textContent();
    t.truthy(shown, what);
    await page.reload();
    t.regex((await readHeading(page))!, again);
    t.is(await page.locator(secret).count(), 0, what);
    t.true((await readMainText(page)).includes('cannot be shown again'), what);
    t.is(await madeBy(scene), before + 1, `${what}, reloaded`);

    const [action, data] = await page
      .locator(await send(page, home))
      .evaluate(({ form }: HTMLButtonElement) => [
        form!.action,
        new URLSearchParams(new FormData(form!) as unknown as Record<string, string>).toString(),
      ]);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: dev.baseUrl };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => page.request.post(action!, { data, headers })),
    );
    const texts = await Promise.all(responses.map((response) => response.text()));
    t.is(texts.filter((html) => html.includes(`id="${secret.slice(1)}"`)).length, 1, what);
    t.is(await madeBy(scene), before + 2, `${what}, sent four times concurrently`);

    const isPrevented = await submitTwice(page.locator(await send(page, home)));
    t.deepEqual(isPrevented, [false, true], 'only the first of two clicks sends the form');

    await page.dblclick(await send(page, home));
    await page.locator('main a:text-matches("saved it|^Back to"), [role=alert]').first().waitFor();
    t.regex(await readMainText(page), /saved it/, what);
    t.is(await madeBy(scene), before + 3, `${what}, with a double click`);
  }
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a form that only reads, such as an export, is sent as often as it is submitted', async (t) => {
  const { page, home } = await openDashboard(browser);
  await page.goto(`${home}/bookings`);
  t.deepEqual(await submitTwice(page.locator('button:text("Export CSV")')), [false, false]);
  await page.context().close();
});

test('a refused API key is shown again with its input and the reason', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  await page.goto(`${home}/keys`);
  await page.click('button:text("New key")');
  await page.fill('#name', 'Door <display>');
  await page.fill('#days', '30');
  await page.uncheck('input[value=calendar]');
  await page.check('input[value=write]');
  await page.fill('#scope\\.ip_allowlist', '192.0.2.0/24\n192.0.2.0/99');
  await page.click('button:text("Create key")');
  t.deepEqual(await alertTexts(page), ['Choose at least one resource.']);
  t.is(await page.locator('#scope\\.resources .alert').textContent(), 'Choose at least one resource.');
  await picture(page, 'dashboard-form-refused');
  t.is(await page.locator('#name').inputValue(), 'Door <display>');
  t.is(await page.locator('#days').inputValue(), '30');
  t.true(await page.isChecked('input[value=write]'));
  t.false(await page.isChecked('input[value=calendar]'));
  await page.check('input[value=billing]');
  await page.click('button:text("Create key")');
  t.deepEqual(await alertTexts(page), [
    'The second IP range must be an IP range such as 192.0.2.0/24 or 2001:db8::/32.',
  ]);
  t.is(await page.locator('#scope\\.ip_allowlist').inputValue(), '192.0.2.0/24\n192.0.2.0/99');
  t.is(await page.locator('#scope\\.ip_allowlist').getAttribute('aria-invalid'), 'true');
  await page.fill('#scope\\.ip_allowlist', '192.0.2.0/24 2001:db8::/32');
  await page.click('button:text("Create key")');
  const { body } = await workspace.api.get('/v1/api-keys');
  t.deepEqual(body.data[0]!.scope, {
    resources: ['billing'],
    actions: ['read', 'write'],
    ip_allowlist: ['192.0.2.0/24', '2001:db8::/32'],
  });
  const refused = await client((await page.locator('#token').textContent())!).get('/v1/invoices');
  t.is(refused.body.error.code, 'ip_not_allowed');

  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a refused application is shown again with its input and the reason', async (t) => {
  const { page, home } = await openDashboard(browser);
  await page.goto(`${home}/applications`);
  await page.click('button:text("New application")');
  await page.fill('#name', 'Calendar friend');
  const uris = 'https://app.example/callback\nhttp://app.example/again';
  await page.fill('#redirect_uris', uris);
  await page.check('input[name=public]');
  await page.click('button:text("Register")');
  t.regex((await alertTexts(page)).join(), /^The second redirect URI must be an https URL, [^[\]_]+\.$/);
  t.is(await page.locator('#redirect_uris').inputValue(), uris);
  t.true(await page.isChecked('input[name=public]'));

  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a refused endpoint is shown again with its input and the reason', async (t) => {
  const { page, home } = await openDashboard(browser);
  await page.goto(`${home}/webhooks`);
  await page.click('button:text("Register endpoint")');
  await page.fill('#url', 'ftp://app.example/');
  await page.selectOption('#event_types', ['booking.expired']);
  await page.click('button:text-is("Register")');
  t.deepEqual(await alertTexts(page), ['The URL must be an https URL.']);
  t.is(await page.locator('#url').inputValue(), 'ftp://app.example/');
  t.deepEqual(await page.locator('#event_types option:checked').allTextContents(), ['booking.expired']);

  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('if a list cannot show all members, the new owner is found by a search', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const heir = await newMember(workspace, { name: 'Zoe Heir', role: 'admin' });
  await db.query(`UPDATE members SET joined_at = now() - interval '1 year' WHERE id = $1`, [heir.id]);
  const later = Array.from({ length: 201 }, () => ({
    workspace_id: workspace.id,
    email: uniqueEmail(),
    accepted_at: new Date(),
  }));
  await storeMembers(db, later);
  await page.goto(`${home}/ownership`);
  t.false((await page.locator('#member_id').innerText()).includes('Zoe Heir'));
  await page.fill('#filter input', 'Zoe');
  await page.click('button:text("Search")');
  t.regex(await page.locator('#member_id').innerText(), /^Choose\s+Zoe Heir \([^)]*\)$/);
  await page.selectOption('#member_id', heir.id);
  await page.fill('#code', '000000');
  await page.click('button:text("Transfer ownership")');
  t.regex((await alertTexts(page)).join(), /^This code is wrong/);
  t.is(await page.locator('#member_id').inputValue(), heir.id, 'found again with what was searched for');

  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a refused transfer of ownership is shown again, without the code', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  await newMember(workspace, { name: 'Alex Heir', role: 'admin' });
  await page.goto(`${home}/ownership`);
  const heir = await page.locator('#member_id option').last().getAttribute('value');
  await page.selectOption('#member_id', heir!);
  await page.fill('#code', '000000');
  await page.click('button:text("Transfer ownership")');
  t.regex((await alertTexts(page)).join(), /^This code is wrong/);
  t.is(await page.locator('#member_id').inputValue(), heir!);
  t.is(await page.locator('#code').inputValue(), '', 'a code is never shown again');
  t.false((await page.content()).includes('000000'));

  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a refused cancellation is shown again with its input and the reason', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api);
  const guest = { booked_by: { guest: { email: uniqueEmail(), name: 'Grace Hopper' } } };
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id, guest));
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await page.goto(`${home}/bookings/${booking.id}`);
  await page.click('[popovertarget=more]');
  await page.click('[popovertarget]:text("Cancel booking")');
  await page.locator('#reason').evaluate((field) => field.removeAttribute('maxlength'));
  await page.fill('#reason', 'x'.repeat(1_001));
  await page.check('input[value=none]');
  await page.uncheck('input[name=notify_attendees]');
  await page.click('button:text("Review cancellation")');
  t.true((await readHeading(page))!.startsWith(`${room.name} · `));
  t.deepEqual(await alertTexts(page), ['The reason must have at most 1000 characters.']);
  t.is((await page.locator('#reason').inputValue()).length, 1_001);
  t.true(await page.isChecked('input[value=none]'));
  t.false(await page.isChecked('input[name=notify_attendees]'));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('on a narrow screen every column is visible', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api, { name: 'The large garden room' });
  await workspace.api.post('/v1/bookings', bookingBody(room.id));
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of ['', '/bookings', '/keys']) {
    await page.goto(home + path);
    const cut = await page.evaluate(`[...document.querySelectorAll('body, .scroll')]
      .filter((node) => node.scrollWidth > node.clientWidth).length`);
    t.is(cut, 0, path);
    await picture(page, `dashboard-narrow${path.replace('/', '-')}`);
  }
  t.true(await page.locator('tbody >> text=First key').isVisible());
  await page.context().close();
});

test('the root path redirects a browser to the dashboard and returns 404 to other clients', async (t) => {
  const page = await newPage(browser);
  await page.goto(`${dev.baseUrl}/`);
  t.is(page.url(), `${dev.baseUrl}/sign-in?return_to=%2Fdashboard`);
  await page.context().close();
  for (const accept of ['*/*', 'application/json', '']) {
    const response = await fetch(`${dev.baseUrl}/`, { headers: { accept }, redirect: 'manual' });
    t.is(response.status, 404, accept);
    t.is((await response.json()).error.code, 'not_found');
  }
});
