import test from 'ava';
import { dev } from '../support/stack.js';

const open = (path: string, accept: string): Promise<Response> =>
  fetch(dev.baseUrl + path, { headers: { accept } });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('people who open an address that does not exist see a page, programs get the error of the API', async (t) => {
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
