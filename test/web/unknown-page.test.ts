import test from 'ava';
import { dev } from '../support/stack.js';

const open = (path: string, accept: string): Promise<Response> =>
  fetch(dev.baseUrl + path, { headers: { accept } });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('people who open an unknown address see a page, and programs get an API error', async (t) => {
  const page = await open('/no/such/page', BROWSER);
  t.is(page.status, 404);
  t.regex(page.headers.get('content-type')!, /^text\/html/);
  t.regex(await page.text(), /This page does not exist.*href="\/dashboard"/s);
  for (const [path, accept] of [
    ['/no/such/page', '*/*'],
    ['/no/such/page', 'application/json'],
    ['/v1/no-such-thing', BROWSER],
  ] as const) {
    const answer = await open(path, accept);
    t.is(answer.status, 404, path);
    t.is(((await answer.json()) as { error: { code: string } }).error.code, 'not_found');
  }
});

test('people who open the address of a form are sent to its page, and programs get an API error', async (t) => {
  for (const [form, page] of [
    ['/dashboard/ws_1/bookings/bk_1/payments', '/dashboard/ws_1/bookings/bk_1'],
    ['/dashboard/ws_1/rooms/1/settings/pictures/remove', '/dashboard/ws_1/rooms/1/settings/pictures'],
    ['/manage/bk_1/withdraw', '/manage/bk_1'],
  ] as const) {
    const { status, headers } = await fetch(dev.baseUrl + form, {
      headers: { accept: BROWSER },
      redirect: 'manual',
    });
    t.deepEqual([status, headers.get('location')], [302, page]);
    t.is((await open(form, 'application/json')).status, 405);
  }
});
