import test from 'ava';
import { startApi } from '../support/api-process.js';
import { dev } from '../support/stack.js';

const PATH = '/.well-known/security.txt';

test('security.txt says where to report a vulnerability, for less than a year, if there is a contact', async (t) => {
  t.is((await fetch(dev.baseUrl + PATH)).status, 404);
  const { baseUrl, stop } = await startApi({
    SECURITY_CONTACT: 'mailto:security@example.com',
    PUBLIC_URL: 'https://book.example.com',
  });
  const response = await fetch(baseUrl + PATH);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const fields = new Map(
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  t.is(fields.get('Contact'), 'mailto:security@example.com');
  t.is(fields.get('Canonical'), `https://book.example.com${PATH}`);
  const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000;
  t.true(days > 90 && days < 365);
  stop();
});
