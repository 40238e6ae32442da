import test from 'ava';
import type { Browser, BrowserContext } from 'playwright-core';
import { confirmedBooking, pendingBooking } from '../support/bookings.js';
import { linksTo, newPage, picture, requestLink, readHeading } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { openLink } from '../support/links.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { mailTo } from '../support/simulators.js';
import { createMember } from '../support/member-calls.js';
import { openInvoice } from '../support/accounting.js';
import { at, newOwner, send } from './sign-in/sign-in-calls.js';
import { message } from '../support/message.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const headingIn = (html: string): string => /<h1>(.*?)<\/h1>/.exec(html)![1]!;

/** A token as some mail gateways rewrite it. */
const encodedByGateway = (token: string): string =>
  token.replaceAll('.', '%2E').replaceAll('_', '%5F').replaceAll('-', '%2D');

const arrive = (url: string, init?: RequestInit): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init });

test('the token of a link leaves the address on arrival, and files and forms accept it without a cookie', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const invoice = await openInvoice(workspace, { company_id: company.id });
  const links = [
    [booking.manage_url!, `/manage/${booking.id}`],
    [invoice.pay_url!, `/pay/${invoice.id}`],
  ] as const;
  for (const [link, path] of links) {
    const arrival = await arrive(link);
    t.is(arrival.status, 303);
    const { pathname, searchParams } = new URL(arrival.headers.get('location')!, dev.baseUrl);
    t.is(pathname, path);
    const token = link.split('/').at(-1)!;
    t.false(searchParams.get('opened')!.includes(token.split('.').at(-1)!));
    t.is(arrival.headers.get('referrer-policy'), 'no-referrer');
    t.is(arrival.headers.get('cache-control'), 'no-store');
    const [cookie] = arrival.headers.getSetCookie();
    t.regex(cookie!, new RegExp(`^holdfast_link=[^;]+; path=${path};.* samesite=lax; httponly$`, 'i'));
    const encoded = link.slice(0, -token.length) + encodedByGateway(token);
    t.is((await arrive(encoded)).headers.get('location')!.split('?')[0], path, 'as mail gateways write it');
    const page = await openLink(link);
    t.is(page.status, 200);
    t.is(page.headers.get('referrer-policy'), 'no-referrer');
    t.false((await page.text()).includes(link.split('.').at(-1)!), 'nor is it in the page');

    const plain = await fetch(link);
    t.is(plain.status, 200, 'a program that keeps no cookies follows the redirect');
    t.is(headingIn(await plain.text()), headingIn(await (await openLink(link)).text()));
    const again = await arrive(plain.url, { headers: { cookie: cookie!.split(';')[0]! } });
    t.is(again.headers.get('location'), path, 'with the cookie, nothing of the link is in the address');

    const bare = await arrive(dev.baseUrl + path);
    t.is(bare.status, 404);
    t.true((await bare.text()).includes(message('payer.no_cookie')));
    const other = await arrive(dev.baseUrl + path, { headers: { cookie: `holdfast_link=x.${link}` } });
    t.is(other.status, 404);
  }
  const sub = await arrive(`${booking.manage_url}/move?minutes=60`);
  t.regex(sub.headers.get('location')!, new RegExp(`^/manage/${booking.id}/move\\?minutes=60&opened=`));
  const [, opened] = sub.headers.get('location')!.split('opened=');
  for (const forged of [
    `/pay/${invoice.id}?opened=${opened}`,
    `/manage/${booking.id}?opened=${opened!.slice(4)}`,
  ])
    t.is((await arrive(dev.baseUrl + forged)).status, 404, forged);
  t.regex(await (await arrive(`${booking.manage_url}/booking.ics`)).text(), /BEGIN:VEVENT/);
  t.is((await arrive(`${booking.manage_url}/receipt.pdf`)).headers.get('content-type'), 'application/pdf');
  t.is((await arrive(`${invoice.pay_url}/pdf`)).headers.get('content-type'), 'application/pdf');
});

test('a form with the cookie of a link is refused from another site', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const path = `${dev.baseUrl}/manage/${booking.id}/cancel`;
  const cookie = `holdfast_link=${booking.manage_url!.split('/').at(-1)}`;
  const cancel = (headers: Record<string, string>) =>
    arrive(path, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams({ refund_minor: '3000' }),
    });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://attacker.example' },
  ] as Record<string, string>[])
    t.is((await cancel(headers)).status, 403, JSON.stringify(headers));
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  const invoice = (await workspace.api.get(`/v1/invoices/${booking.invoice_id!}`)).body;
  const refused = await arrive(`${dev.baseUrl}/pay/${invoice.id}`, {
    method: 'POST',
    headers: {
      cookie: `holdfast_link=${invoice.pay_url!.split('/').at(-1)}`,
      'sec-fetch-site': 'cross-site',
    },
  });
  t.is(refused.status, 403);
  t.true((await refused.text()).includes(message('payer.from_other_site')));
  t.is((await cancel({ origin: dev.baseUrl })).status, 303);
});

/** The paths of a context's addresses that contain something like a token. */
const watchAddresses = (context: BrowserContext): string[] => {
  const seen: string[] = [];
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => seen.push(frame.url()));
  });
  return seen;
};

test('the token of an invite leaves the address, and its form works with the cookie or within the minute', async (t) => {
  const { api } = await newWorkspace();
  const findInviteLink = async (email: string): Promise<string> => {
    await createMember(api, { send_invite: true, email });
    const { text } = await until(async () => (await mailTo(email))[0]);
    return /https?:\S+\/invite\/\S+/.exec(text)![0];
  };
  const link = await findInviteLink(uniqueEmail());
  const [path, signature] = new URL(link).pathname.split('.') as [string, string];
  const arrival = await arrive(link);
  t.is(arrival.status, 303);
  t.is(arrival.headers.get('referrer-policy'), 'no-referrer');
  const cookie = arrival.headers.getSetCookie()[0]!.split(';')[0]!;
  const page = await openLink(link);
  t.is(page.headers.get('referrer-policy'), 'no-referrer');
  t.false((await page.text()).includes(signature));
  const bare = await arrive(dev.baseUrl + path);
  t.is(bare.status, 410);
  t.true((await bare.text()).includes(message('payer.no_cookie')));
  const join = (on: string, headers: Record<string, string> = {}) =>
    arrive(new URL(on, dev.baseUrl).href, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ name: 'Ines' }),
    });
  t.is((await join(path)).status, 410);
  t.is((await join(path, { cookie, 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await join(path, { cookie, 'sec-fetch-site': 'same-origin' })).status, 200);
  const plain = await fetch(await findInviteLink(uniqueEmail()));
  t.is((await join(plain.url)).status, 200, 'a program that keeps no cookies sends the form of the page');
});

test('several links can be open in one browser, without JavaScript, with the back button', async (t) => {
  const workspace = await newWorkspace();
  const [first, second] = [await confirmedBooking(workspace.api), await confirmedBooking(workspace.api)];
  const context = await browser.newContext({ javaScriptEnabled: false });
  const seen = watchAddresses(context);
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(first.booking.manage_url!);
  await two.goto(second.booking.manage_url!);
  t.is(new URL(one.url()).pathname, `/manage/${first.booking.id}`);
  await one.click(`text=${message('payer.cancel_booking')}`);
  t.true((await one.locator('main').innerText()).includes(first.booking.reference));
  await one.goBack();
  t.is(await readHeading(one), message('payer.confirmed'));
  await one.reload();
  await one.click(`text=${message('payer.cancel_booking')}`);
  await one.click('button[type=submit]');
  t.is(await readHeading(one), message('payer.cancelled'));
  await two.reload();
  t.is(await readHeading(two), message('payer.confirmed'));
  t.true((await two.locator('main').innerText()).includes(second.booking.reference));
  t.true(seen.length > 5);
  t.deepEqual(
    seen.filter((url) => url.includes('.', dev.baseUrl.length)),
    [],
    'no address in the history has a token',
  );
  t.is((await workspace.api.get(`/v1/bookings/${second.booking.id}`)).body.status, 'confirmed');
  await context.close();
});

test('a browser without the cookie, refused or deleted, is told so and shown nothing of the booking', async (t) => {
  const { booking } = await pendingBooking(300);
  const page = await newPage(browser);
  await page.goto(booking.manage_url!);
  await page.context().clearCookies();
  const shown = await page.reload();
  t.is(shown!.status(), 404);
  const text = await page.locator('main').innerText();
  t.true(text.includes(message('payer.no_cookie')));
  t.false(text.includes(booking.id));
  await picture(page, 'link-without-cookie');
  await page.goto(booking.manage_url!);
  t.true((await page.locator('main').innerText()).includes(booking.reference), 'the link opens it again');
  await page.close();
});

test('opening a sign-in link twice, as a mail scanner does, leaves it usable, and its address has no token', async (t) => {
  const { email } = await newOwner();
  const page = await newPage(browser);
  await page.goto(at('/sign-in'));
  const link = await requestLink(page, email);
  for (const method of ['HEAD', 'GET']) {
    const scanned = await arrive(link, { method });
    t.is(scanned.status, 303);
    t.is(scanned.headers.get('location'), '/sign-in/link');
    t.is(scanned.headers.get('referrer-policy'), 'no-referrer');
  }
  t.is((await arrive(at('/sign-in/link'))).status, 410, 'without a cookie');
  await page.goto(link);
  t.is(page.url(), at('/sign-in/link'));
  await page.reload();
  await page.click('button');
  await page.waitForURL(at('/sign-in/authenticator'));
  t.is((await send('/sign-in/link', { token: new URL(link).searchParams.get('token')! })).status, 410);
  t.deepEqual(
    (await page.context().cookies(at('/sign-in/link'))).filter(({ name }) => name === 'holdfast_link'),
    [],
    'the cookie ends with the link',
  );
  t.is((await until(async () => linksTo(email))).length, 1);
  await page.context().close();
});
