import test from 'ava';
import { confirmedBooking } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { get } from '../support/manage-link-calls.js';

test('mail and payer pages have the logo and the colour of the workspace', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour House' });
  const logo_url = 'https://img.example.com/logo.png';
  for (const body of [
    { logo_url: 'http://img.example.com/logo.png' },
    { accent_color: '#7fc4e6' },
    { accent_color: 'teal' },
  ])
    t.is((await api.patch('/v1/workspace', body)).status, 422, JSON.stringify(body));
  const set = await api.patch('/v1/workspace', { logo_url, accent_color: '#7A0019' });
  t.like(set.body, { logo_url, accent_color: '#7a0019' });

  const { booking, email } = await confirmedBooking(api);
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /is confirmed/.test(subject)),
  );
  t.regex(mail.html, /<h1[^>]*><img [^>]*src="https:\/\/img\.example\.com\/logo\.png"/);
  t.regex(mail.html, /alt="Harbour House"/);
  t.regex(mail.html, /background-color: #7a0019/);
  t.notRegex(mail.html, /1e5f7f/);

  const page = await get(booking.manage_url!);
  t.regex(page.headers.get('content-security-policy')!, /img-src 'self' https:\/\/img\.example\.com;/);
  const html = await page.text();
  t.regex(html, /<p class="branding"><img src="https:\/\/img\.example\.com\/logo\.png" alt="Harbour House"/);
  t.regex(html, /--accent: light-dark\(#7a0019, /);

  await api.patch('/v1/workspace', { logo_url: null, accent_color: null });
  const plain = await get(booking.manage_url!);
  t.regex(plain.headers.get('content-security-policy')!, /img-src 'self';/);
  t.regex(await plain.text(), /<p class="branding">Harbour House<\/p>/);
});
