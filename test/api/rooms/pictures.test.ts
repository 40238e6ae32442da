import test from 'ava';
import { client } from '../../support/api-client.js';
import { startApi } from '../../support/api-process.js';
import { assertAccessible } from '../../support/axe.js';
import { pendingBooking } from '../../support/bookings.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { until } from '../../support/until.js';
import { openDashboard } from '../../support/dashboard.js';
import { startObjectStore } from '../../support/object-store.js';
import { newPng } from '../../support/png.js';
import { dev } from '../../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../../support/workspaces.js';

const upload = (
  { api: { token } }: Pick<TestWorkspace, 'api'>,
  roomId: string,
  content: Buffer,
  type = 'image/png',
  on = dev.baseUrl,
) => client(token, on).post(`/v1/rooms/${roomId}/pictures`, content, { 'content-type': type });

test('a picture is uploaded once, has an address that never changes, and is served as the format of its bytes', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const content = newPng();
  const made = await upload(workspace, room.id, content);
  t.is(made.status, 201, JSON.stringify(made.body));
  const [url] = made.body.image_urls;
  t.regex(url!, new RegExp(`^${dev.baseUrl}/pictures/[0-9a-f]{64}\\.png$`));
  const again = await upload(workspace, room.id, content);
  t.deepEqual([again.status, again.body.image_urls], [200, [url]]);

  const shown = await fetch(url!);
  t.deepEqual(Buffer.from(await shown.arrayBuffer()), content);
  const headers = ['content-type', 'cache-control', 'x-content-type-options'].map((name) =>
    shown.headers.get(name),
  );
  t.deepEqual(headers, ['image/png', 'public, max-age=31536000, immutable', 'nosniff']);
  for (const other of [`${url}.png`, url!.replace('.png', '.jpg'), `${dev.baseUrl}/pictures/..%2fdev.json`])
    t.is((await fetch(other)).status, 404, other);

  // A room's list is sent back unchanged, even if the service has no https.
  const kept = await workspace.api.patch(`/v1/rooms/${room.id}`, {
    image_urls: [url!, 'https://a.example/b.png'],
  });
  t.is(kept.status, 200);

  const neighbour = await newWorkspace();
  const theirs = await newRoom(neighbour.api);
  const same = await upload(neighbour, theirs.id, content);
  t.not(same.body.image_urls[0], url, 'nobody learns that another workspace has a picture');
});

test('an upload that is no picture, of another kind than declared, too large or one too many is refused and stores nothing', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const refused = async (content: Buffer, type: string, status: number, code: string): Promise<void> => {
    const { status: is, body } = await upload(workspace, room.id, content, type);
    t.deepEqual([is, body.error.code], [status, code], `${type} ${content.length}`);
  };
  await refused(svg, 'image/svg+xml', 415, 'unsupported_media_type');
  await refused(svg, 'image/png', 415, 'unsupported_media_type');
  await refused(newPng(), 'image/jpeg', 415, 'unsupported_media_type');
  await refused(newPng(), 'application/octet-stream', 415, 'unsupported_media_type');
  await refused(Buffer.alloc(0), 'image/png', 415, 'unsupported_media_type');
  await refused(newPng(5 * 1024 * 1024), 'image/png', 413, 'payload_too_large');
  t.deepEqual((await workspace.api.get(`/v1/rooms/${room.id}`)).body.image_urls, []);
  const large = await upload(workspace, room.id, newPng(4 * 1024 * 1024));
  t.is(large.status, 201);
  for (let n = 1; n < 10; n++) t.is((await upload(workspace, room.id, newPng())).status, 201);
  await refused(newPng(), 'image/png', 409, 'limit_reached');
});

test('pictures are in an S3-compatible bucket: a failure loses nothing, and the same upload succeeds afterwards', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const store = await startObjectStore('key-of-test');
  const api = await startApi({
    PICTURES_FOLDER: '',
    PICTURES_S3_BUCKET: 'rooms',
    PICTURES_S3_ENDPOINT: store.endpoint,
    PICTURES_S3_ACCESS_KEY_ID: 'key-of-test',
    PICTURES_S3_SECRET_ACCESS_KEY: 'secret-of-test',
    PUBLIC_URL: dev.baseUrl,
  });
  try {
    const content = newPng();
    store.fails = 5;
    const refused = await upload(workspace, room.id, content, 'image/png', api.baseUrl);
    t.deepEqual([refused.status, refused.body.error.code], [503, 'service_unavailable']);
    t.deepEqual((await workspace.api.get(`/v1/rooms/${room.id}`)).body.image_urls, []);
    store.fails = 1;
    const made = await upload(workspace, room.id, content, 'image/png', api.baseUrl);
    t.is(made.status, 201, 'one failure is retried');
    const { pathname } = new URL(made.body.image_urls[0]!);
    const key = pathname.replace('/pictures/', '/rooms/');
    t.deepEqual(store.objects.get(key), { content, type: 'image/png' });
    const shown = await fetch(api.baseUrl + pathname);
    t.deepEqual(Buffer.from(await shown.arrayBuffer()), content);
    store.fails = 3;
    t.is((await fetch(api.baseUrl + pathname)).status, 503);
    store.objects.delete(key);
    t.is((await fetch(api.baseUrl + pathname)).status, 404);
  } finally {
    await api.stop();
    await store.close();
  }
});

test('without a store uploads are refused, and picture addresses still work', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const api = await startApi({ PICTURES_FOLDER: '' });
  try {
    const refused = await upload(workspace, room.id, newPng(), 'image/png', api.baseUrl);
    t.deepEqual([refused.status, refused.body.error.code], [412, 'uploads_unconfigured']);
  } finally {
    await api.stop();
  }
});

test('a picture is uploaded as the logo, which payers see on their pages', async (t) => {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const { api } = workspace;
  const put = (content: Buffer, type = 'image/png') =>
    api.put('/v1/workspace/logo', content, { 'content-type': type });
  t.is((await put(newPng(), 'image/jpeg')).status, 415);
  const { status, body } = await put(newPng());
  t.is(status, 200, JSON.stringify(body));
  t.regex(body.logo_url!, new RegExp(`^${dev.baseUrl}/pictures/[0-9a-f]{64}\\.png$`));
  t.is((await api.patch('/v1/workspace', { logo_url: body.logo_url })).status, 200, 'it can be sent back');
  const { booking } = await pendingBooking(1_800, workspace);
  const page = await (await fetch(booking.manage_url!)).text();
  t.true(page.includes(`<img src="${body.logo_url}" alt="Harbour House"`), page);
});

test('the owner uploads the logo on the settings page and removes it', async (t) => {
  const { workspace, page, home } = await openDashboard(await launchBrowser());
  await page.goto(`${home}/settings/payers`);
  await page.setInputFiles('#picture', { name: 'logo.png', mimeType: 'image/png', buffer: newPng() });
  await page.locator('button', { hasText: 'Upload' }).click();
  await page.locator('.notice', { hasText: 'The logo has been saved' }).waitFor();
  t.regex((await workspace.api.get('/v1/workspace')).body.logo_url!, /\/pictures\//);
  await page.waitForLoadState('networkidle');
  t.true(await page.locator('img[alt="The logo"]').isVisible(), 'it is seen at once');
  await picture(page, 'settings-logo');
  await assertAccessible(t, page, 'settings with a logo');
  await page.click('text=Remove logo');
  await page.locator('.notice', { hasText: 'The logo has been removed' }).waitFor();
  t.is((await workspace.api.get('/v1/workspace')).body.logo_url, null);
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('an operator uploads a picture in the dashboard, sees it, and removes it', async (t) => {
  const { workspace, page, home } = await openDashboard(await launchBrowser());
  const room = await newRoom(workspace.api, { name: 'Blue room' });
  const at = `${home}/rooms/${room.id}/settings`;
  await page.goto(at);
  await page.setInputFiles('#picture', {
    name: 'plan.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  });
  await page.locator('button', { hasText: 'Upload' }).click();
  t.regex((await page.locator('[role=alert]').first().textContent())!, /PNG, JPEG or WebP/);
  await page.setInputFiles('#picture', { name: 'room.png', mimeType: 'image/png', buffer: newPng() });
  await page.locator('button', { hasText: 'Upload' }).click();
  await page.locator('.notice', { hasText: 'has been saved' }).waitFor();
  const shown = page.locator('form.picture img');
  await shown.scrollIntoViewIfNeeded();
  await until(() => page.evaluate(`document.querySelector('form.picture img').naturalWidth === 1`));
  await picture(page, 'room-pictures');
  await assertAccessible(t, page, 'pictures');
  await page.click('text=Remove >> visible=true');
  await page.locator('.notice', { hasText: 'has been removed' }).waitFor();
  t.deepEqual((await workspace.api.get(`/v1/rooms/${room.id}`)).body.image_urls, []);
  t.deepEqual(page.complaints, []);
  await page.close();
});
