import test, { type ExecutionContext } from 'ava';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { LANGUAGES, type Language } from '../../domain/words/languages.js';
import { CATALOGS, getWords } from '../../domain/words/words.js';
import { bookingBody, hoursLater } from '../support/bookings.js';
import { newPage, picture, type WatchedPage } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { CARD_EXPIRY } from '../support/days.js';
import { getPdf, readPdf } from '../support/pdf.js';
import { mailTo } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { chooseDay } from '../support/time-choice.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

/** The parts of English messages between their values that are long enough to be unambiguous. */
const ENGLISH = Object.values(CATALOGS.en)
  .filter((text) => !text.includes('plural'))
  .flatMap((text) => text.split(/\{[^}]*\}|<[^>]*>/))
  .map((part) => part.trim())
  .filter((part) => part.split(' ').length > 2);

function assertNotEnglish(t: ExecutionContext, text: string, where: string): void {
  const flat = text.replaceAll(/\s+/g, ' ');
  t.deepEqual(
    ENGLISH.filter((part) => flat.includes(part)),
    [],
    where,
  );
}

async function openPage(languages: readonly Language[] = LANGUAGES) {
  const workspace = await newWorkspace({ name: 'Hafenhaus' });
  await workspace.api.patch('/v1/workspace', { contact_email: 'haus@example.com' });
  await newRoom(workspace.api, {
    name: 'Kajüte',
    refund_steps: [
      { hours_before: 48, percent: 100 },
      { hours_before: 0, percent: 50 },
    ],
  });
  const slug = `haus-${randomUUID().slice(0, 8)}`;
  await workspace.api.put('/v1/booking-page', { slug, languages });
  return { workspace, url: `${dev.baseUrl}/book/${slug}` };
}

/** A page of a browser that prefers a language. */
async function pageIn(locale: string): Promise<WatchedPage> {
  const page = await newPage(browser);
  await page.setExtraHTTPHeaders({ 'accept-language': locale });
  await page.setViewportSize({ width: 390, height: 780 });
  return page;
}

for (const language of LANGUAGES.filter((each) => each !== 'en'))
  test(`a public guest reads everything in ${language}: pages, errors, mail and documents`, async (t) => {
    const { workspace, url } = await openPage();
    const words = getWords(language);
    const page = await pageIn(`${language}-XX, en;q=0.5`);
    const see = async (name: string): Promise<void> => {
      t.is(await page.getAttribute('html', 'lang'), language, name);
      assertNotEnglish(t, (await page.textContent('body'))!, name);
      t.false(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), name);
      await picture(page, `${language}-${name}`);
    };
    await page.goto(url);
    await see('rooms');
    await page.click('ul.rooms a.button');
    await chooseDay(page, hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10));
    await see('times');
    await page.locator('ul.times a').nth(18).click();
    await see('details');
    const email = uniqueEmail();
    await page.fill('#name', 'Grete Gast');
    await page.fill('#email', 'grete@example');
    await page.evaluate(`document.querySelector('form').noValidate = true`);
    await page.click('button[type=submit]');
    t.is(await page.locator('[role=alert]').textContent(), words.say('payer.field_email'));
    await see('error');
    await page.fill('#email', email);
    await page.click('button[type=submit]');
    await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
    await page.fill('#number', '4242 4242 4242 4242');
    await page.fill('#expiry', CARD_EXPIRY);
    await page.fill('#cvc', '123');
    await page.click('button[value=pay]');
    await page.locator('h1', { hasText: words.say('payer.confirmed') }).waitFor();
    await see('confirmed');
    const [booking] = (await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`)).body.data;
    t.is(booking!.locale, language);

    const mails = await until(async () => {
      const sent = await mailTo(email);
      const subjects = sent.map(({ subject }) => subject);
      return (
        subjects.some((subject) => subject === words.say('mail.confirmed_subject', { room: 'Kajüte' })) &&
        sent
      );
    });
    for (const { subject, text } of mails) assertNotEnglish(t, `${subject}\n${text}`, `mail ${subject}`);
    t.true(mails.every(({ html }) => html.includes(`<html lang="${language}">`)));

    const { bytes } = await getPdf(workspace.api, `/v1/invoices/${booking!.invoice_id}.pdf`);
    const { text } = await readPdf(bytes);
    t.true(
      text.includes(words.say('documents.billed_to')) && text.includes(words.say('documents.unit_price')),
      text,
    );

    // Anyone who opens the link with a browser in another language reads it in the language of the booking.
    await page.setExtraHTTPHeaders({ 'accept-language': 'en' });
    await page.locator('a[href*="/manage/"]').last().click();
    await see('manage');
    await page.getByText(words.say('payer.move_booking')).click();
    await see('move');
    await page.goBack();
    await page.getByText(words.say('payer.cancel_booking')).click();
    await see('cancel');
    await page.click('button.danger');
    await see('cancelled');
    const cancelled = words.say('mail.cancelled_subject', { room: 'Kajüte' });
    const [mail] = await until(async () => {
      const sent = (await mailTo(email)).filter(({ subject }) => subject === cancelled);
      return sent.length > 0 && sent;
    });
    assertNotEnglish(t, mail!.text, 'cancelled');
    t.deepEqual(page.complaints, []);
    await page.close();
  });

test('a page is in the language of its address, and its links keep it, or else of the browser, or else of the workspace', async (t) => {
  const { workspace, url } = await openPage();
  const readLang = async (address: string, accept?: string): Promise<string> => {
    const response = await fetch(address, { headers: accept ? { 'accept-language': accept } : {} });
    t.is(response.headers.get('set-cookie'), null, 'a frame sends no cookie back');
    return /<html lang="(\w\w)"/.exec(await response.text())![1]!;
  };
  t.is(await readLang(url), 'en');
  await workspace.api.patch('/v1/workspace', { locale: 'es' });
  t.is(await readLang(url), 'es');
  t.is(await readLang(url, 'nl, fr;q=0.5'), 'fr');
  t.is(await readLang(`${url}?lang=de`, 'fr'), 'de');
  t.is(await readLang(`${url}?lang=xx`, 'fr'), 'fr');
  t.is(await readLang(`${dev.baseUrl}/book/nowhere`, 'de'), 'de');

  const page = await pageIn('en');
  await page.goto(url);
  await page.getByText('Deutsch', { exact: true }).click();
  for (const step of ['ul.rooms a.button', 'ul.times a']) {
    await page.click(step);
    t.is(await page.getAttribute('html', 'lang'), 'de', step);
  }
  await page.close();
});

test('a booking page is offered in the languages that its operator has chosen', async (t) => {
  const { workspace, url } = await openPage(['fr', 'en']);
  const shown = await (
    await fetch(`${url}?lang=de`, { headers: { 'accept-language': 'de, fr;q=0.5' } })
  ).text();
  t.regex(shown, /<html lang="fr"/);
  t.false(shown.includes('Deutsch'));
  const { body } = await workspace.api.get('/v1/booking-page');
  t.deepEqual(body.languages, ['fr', 'en']);
  const bad = await workspace.api.put('/v1/booking-page', { slug: body.slug, languages: ['nl'] });
  t.like(bad, { status: 422, body: { error: { param: 'languages.0' } } });
});

test('a guest and a member get a language through the API, and a payer may choose another one in their browser', async (t) => {
  const { workspace } = await openPage();
  const { api } = workspace;
  const room = await newRoom(api, { name: 'Cuisine' });
  const guest = { email: uniqueEmail(), name: 'Gaston', locale: 'fr' };
  const made = await api.post('/v1/bookings', { ...bookingBody(room.id), booked_by: { guest } });
  t.like(made, { status: 201, body: { locale: 'fr' } });
  const manageUrl = made.body.manage_url!;
  const page = await pageIn('de');
  await page.goto(manageUrl);
  t.is(await page.getAttribute('html', 'lang'), 'fr');
  await page.getByText('Español', { exact: true }).click();
  t.is(await page.getAttribute('html', 'lang'), 'es');
  await page.goto(manageUrl);
  t.is(await page.getAttribute('html', 'lang'), 'es', 'the browser keeps the choice');
  await page.close();
  const corrected = await api.patch(`/v1/bookings/${made.body.id}`, {
    booked_by: { guest: { locale: 'de' } },
  });
  t.like(corrected, { status: 200, body: { locale: 'de' } });

  const member = await api.post('/v1/members', { email: uniqueEmail(), locale: 'es', send_invite: false });
  t.like(member, { status: 201, body: { locale: 'es' } });
  t.like(await api.patch(`/v1/members/${member.body.id}`, { locale: null }), { body: { locale: null } });
  const bad = await api.patch(`/v1/members/${member.body.id}`, { locale: 'nl' });
  t.like(bad, { status: 422, body: { error: { param: 'locale' } } });
});
