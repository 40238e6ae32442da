import test from 'ava';
import { randomUUID } from 'node:crypto';
import { listUnusedPictures, removeUnusedPicture } from '../../../commands/rooms/pictures/pictures.js';
import { MAX_TERMS_VERSIONS } from '../../../domain/booking-page/booking-page.js';
import { isError } from '../../support/booking-calls.js';
import { picture } from '../../support/browser.js';
import { assertAccessible } from '../../support/axe.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { newPng } from '../../support/png.js';
import { db, dev } from '../../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../../support/workspaces.js';

const newSlug = (): string => `house-${randomUUID().slice(0, 8)}`;

/** A PDF that differs by its words. */
const pdf = (words: string): Buffer => Buffer.from(`%PDF-1.4\n% ${words}\n%%EOF\n`);

const upload = (
  { api }: Pick<TestWorkspace, 'api'>,
  version: string,
  content: Buffer,
  type = 'application/pdf',
) =>
  api.put(`/v1/booking-page/terms?version=${encodeURIComponent(version)}`, content, { 'content-type': type });

const open = (url: string) => fetch(url, { headers: { accept: 'text/html' } });

test('terms are a page, a text or a PDF, and earlier versions stay readable while the page is off', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const slug = newSlug();
  const at = `${dev.baseUrl}/book/${slug}/terms`;
  const put = async (terms: object | null, more: object = {}) =>
    (await api.put('/v1/booking-page', { slug, terms, ...more })).body;

  const own = { url: 'https://harbour.example/terms', version: '1' };
  t.deepEqual((await put(own)).terms, { kind: 'url', ...own });
  const text = 'Be kind.\n\nLeave by <eight>.';
  t.deepEqual((await put({ version: '2/a', text })).terms, {
    kind: 'text',
    url: `${at}/2%2Fa`,
    version: '2/a',
  });
  const file = pdf('third');
  const third = await upload(workspace, '3', file);
  t.is(third.status, 200, JSON.stringify(third.body));
  t.deepEqual(third.body.terms, { kind: 'file', url: `${at}/3`, version: '3' });
  t.is(third.body.slug, slug, 'the other settings stay');

  // A stored version is used again by its name.
  t.is((await put({ version: '2/a' })).terms!.kind, 'text');
  await put({ version: '3' }, { enabled: false });
  const shown = await (await open(`${at}/2%2Fa`)).text();
  t.true(shown.includes('Be kind.\n\nLeave by &lt;eight>.'), shown);
  const served = await open(`${at}/3`);
  t.deepEqual(Buffer.from(await served.arrayBuffer()), file);
  const headers = [
    'content-type',
    'content-disposition',
    'x-content-type-options',
    'content-security-policy',
  ];
  t.deepEqual(
    headers.map((name) => served.headers.get(name)),
    ['application/pdf', 'inline; filename="terms-3.pdf"', 'nosniff', "default-src 'none'; sandbox"],
  );
  for (const other of [`${at}/1`, `${at}/4`, `${dev.baseUrl}/book/${newSlug()}/terms/3`])
    t.is((await open(other)).status, 404, other);
});

test('a version keeps its terms, and what is no PDF or has no terms is refused', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const slug = newSlug();
  const put = (terms: object) => api.put('/v1/booking-page', { slug, terms });
  const refused = async (answer: ReturnType<typeof put>, param: string) => {
    const response = await answer;
    isError(t, response, 422, 'validation_failed', JSON.stringify(response.body));
    t.is(response.body.error.param, param);
  };
  isError(t, await upload(workspace, '1', pdf('early')), 404, 'not_found', 'there is no page yet');
  t.is((await put({ version: '1', text: 'Be kind.' })).status, 200);
  t.is((await put({ version: '1', text: 'Be kind.' })).status, 200, 'the same text again');
  await refused(put({ version: '1', text: 'Be fast.' }), 'terms.version');
  await refused(upload(workspace, '1', pdf('other')), 'version');
  await refused(put({ version: '9' }), 'terms.url');
  await refused(put({ version: '9', text: 'a', url: 'https://a.example' }), 'terms');
  await refused(put({ version: '9', text: 'a'.repeat(50_001) }), 'terms.text');
  await refused(put({ text: 'Be kind.' }), 'terms.version');
  isError(t, await upload(workspace, '2', newPng()), 415, 'unsupported_media_type', 'a picture');
  isError(
    t,
    await upload(workspace, '2', pdf('a'), 'image/png'),
    415,
    'unsupported_media_type',
    'as a picture',
  );
  const large = Buffer.concat([pdf('large'), Buffer.alloc(5 * 1024 * 1024)]);
  isError(t, await upload(workspace, '2', large), 413, 'payload_too_large', 'more than 5 MiB');
  const { body } = await api.get('/v1/booking-page');
  t.like(body.terms, { kind: 'text', version: '1' }, 'nothing has changed');

  await db.query(
    `INSERT INTO booking_page_terms (workspace_id, version, text)
     SELECT $1, 'more ' || n, 'a' FROM generate_series(2, $2::int) n`,
    [workspace.id, MAX_TERMS_VERSIONS],
  );
  isError(t, await put({ version: 'last', text: 'a' }), 409, 'limit_reached', 'too many versions');
});

test('a PDF that bookings may have accepted stays in the store', async (t) => {
  const workspace = await newWorkspace();
  const slug = newSlug();
  await workspace.api.put('/v1/booking-page', { slug });
  for (const version of ['1', '2']) await upload(workspace, version, pdf(`${version} ${slug}`));
  await workspace.api.put('/v1/booking-page', { slug });
  const removed: string[] = [];
  const store = {
    put: async () => {},
    get: async () => null,
    remove: async (key: string) => void removed.push(key),
  };
  await db.query(`UPDATE pictures SET created_at = '2020-01-01' WHERE workspace_id = $1`, [workspace.id]);
  await db.query(`DELETE FROM booking_page_terms WHERE workspace_id = $1 AND version = '2'`, [workspace.id]);
  const before = new Date('2020-02-01');
  for (const key of await listUnusedPictures(db.manager, { before, after: '', limit: 1_000 }))
    await removeUnusedPicture(db, store, { key, before });
  t.is(removed.filter((key) => key.endsWith('.pdf')).length, 1, 'only the one without a version');
  t.is((await open(`${dev.baseUrl}/book/${slug}/terms/1`)).status, 200);
});

test('staff enter the text of the terms or upload a PDF, and guests read what they accept', async (t) => {
  const { workspace, page, home } = await openDashboard(await launchBrowser());
  const { api } = workspace;
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const slug = newSlug();
  await page.goto(`${home}/booking-page`);
  await page.fill('#slug', slug);
  await page.check('input[name=terms][value=text]');
  await page.fill('[id="terms.text"]', 'Be kind.');
  await page.click('form.wide > button');
  t.regex(await readMainText(page), /The terms version is missing|The terms version is required/);
  t.is(await page.inputValue('[id="terms.text"]'), 'Be kind.', 'what was entered is kept');
  await page.fill('[id="terms.version"]', '2026-05');
  await page.click('form.wide > button');
  t.regex(await readMainText(page), /Booking page saved/);
  await page.click('form.wide > button');
  t.regex(await readMainText(page), /Booking page saved/, 'the form as it is shown');
  t.like((await api.get('/v1/booking-page')).body.terms, { kind: 'text', version: '2026-05' });

  await page.setInputFiles('#picture', { name: 'a.pdf', mimeType: 'application/pdf', buffer: pdf(slug) });
  await page.fill('#version', '2026-06');
  await assertAccessible(t, page, 'terms');
  await picture(page, 'terms-settings');
  await page.click('form[action$="/terms"] button');
  t.regex(await readMainText(page), /The terms have been saved/);
  await page.click('form.wide > button');
  t.like((await api.get('/v1/booking-page')).body.terms, { kind: 'file', version: '2026-06' });

  await page.goto(`${dev.baseUrl}/book/${slug}/terms/2026-05`);
  t.regex(await page.innerText('main'), /Terms\s+Version 2026-05\s+Be kind\./);
  await picture(page, 'terms');
  await page.goto(`${dev.baseUrl}/book/${slug}/rooms/${room.id}`);
  await page.locator('main a[href*="details"]').first().click();
  t.is(
    await page.locator('label:has([name=terms_version]) a').getAttribute('href'),
    `/book/${slug}/terms/2026-06`,
  );
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
