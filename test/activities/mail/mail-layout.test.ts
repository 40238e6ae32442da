import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import type { MailKind } from '../../../domain/mail/kinds.js';
import { launchBrowser } from '../../support/chromium.js';
import { once } from '../../support/once.js';
import { picture } from '../../support/picture.js';
import { LONG_MAILS, TEXTS, type Texts } from './long-mails.js';
import { seenBy, type MailClient } from './mail-clients.js';

const browser = once(launchBrowser);
const KINDS = Object.keys(LONG_MAILS) as MailKind[];
const PHONE = 320;
const WIDE = 640;

/**
 * Each mail unchanged, and without what a program ignores. The classic Outlook is not on phones. It breaks no
 * word, whatever the styles say, so a word that is wider than the mail widens it.
 */
const VIEWS: [name: string, client: MailClient | null, widths: number[]][] = [
  ['', null, [PHONE, WIDE]],
  ['gmail', 'gmail', [PHONE, WIDE]],
  ['outlook-com', 'outlook-com', [PHONE, WIDE]],
  ['outlook', 'outlook', [WIDE]],
];

/** Gmail clips a mail whose HTML is longer than this, in bytes. */
const GMAIL_LIMIT = 102 * 1_024;

/**
 * What makes a mail unreadable or inconvenient: it scrolls sideways, a word is outside its column or the
 * screen, or a word is broken although it is no wider than three fifths of the content. Words end where lines
 * may break: at spaces and after hyphens.
 */
const PROBLEMS = `(() => {
  const problems = new Set();
  const inside = (cell) => {
    const { left, right } = cell.getBoundingClientRect();
    const style = getComputedStyle(cell);
    const edge = (side) => parseFloat(style['padding' + side]) + parseFloat(style['border' + side + 'Width']);
    return { left: left + edge('Left'), right: right - edge('Right') };
  };
  const content = inside(document.querySelector('td.body'));
  const width = content.right - content.left;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const cell = text.parentElement.closest('td, blockquote, body');
    const column = inside(cell);
    for (const { 0: word, index } of text.data.matchAll(/[^\\s\\-–—]+[-–—]*/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
      const length = boxes.reduce((sum, box) => sum + box.width, 0);
      const is = (problem) => problems.add(problem + ': ' + word.slice(0, 40));
      if (boxes.length > 1 && length <= width * 0.6) is('broken');
      for (const { left, right } of boxes) {
        if (right > column.right + 1 || left < column.left - 1) is('outside of its column');
        if (right > innerWidth + 1 || left < -1) is('outside of the screen');
      }
    }
    for (let box = text.parentElement; box; box = box.parentElement)
      if (
        box !== document.documentElement &&
        box.scrollWidth > box.clientWidth + 1 &&
        getComputedStyle(box).overflowX !== 'visible'
      )
        problems.add('cut off: ' + text.data.slice(0, 40));
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.add('scrolls sideways');
  return [...problems];
})()`;

/** The mails of a kind, as their HTML. */
async function renderMails(kind: MailKind, texts: Texts): Promise<string[]> {
  const sender = {
    name: texts.name,
    logo_url: null,
    accent_color: '#7a0019',
    is_speaker: true,
    contact_email: texts.email,
    is_proven: true,
  };
  const mails = await Promise.all(
    LONG_MAILS[kind](texts).map(async (content) => content && (await layOut(content, sender)).html),
  );
  if (mails.includes(null) || mails.length === 0) throw new Error(`${kind} says nothing`);
  return mails as string[];
}

for (const [length, texts] of Object.entries(TEXTS))
  test(`no mail scrolls sideways, cuts off text or breaks a word of three fifths of its width: ${length} texts`, async (t) => {
    const page = await (await browser()).newPage();
    const found: Record<string, string[]> = {};
    for (const kind of KINDS)
      for (const [n, html] of (await renderMails(kind, texts)).entries())
        for (const [view, client, widths] of VIEWS) {
          if (client === 'outlook' && length === 'longest') continue;
          await page.setContent(client ? seenBy(client, html) : html);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 800 });
            const name = ['mail', kind, n || '', length, view, width].filter(Boolean).join('-');
            const problems = (await page.evaluate(PROBLEMS)) as string[];
            if (problems.length > 0) found[name] = problems;
            await picture(page, name);
          }
        }
    await page.close();
    t.deepEqual(found, {});
  });

test('Gmail clips no mail, whatever it lists, with texts as long as they occur', async (t) => {
  const sizes: Record<string, number> = {};
  for (const kind of KINDS)
    for (const html of await renderMails(kind, { ...TEXTS.long, rows: 1_000 })) {
      const size = Buffer.byteLength(html);
      if (size > GMAIL_LIMIT) sizes[kind] = size;
    }
  t.deepEqual(sizes, {});
});

test('the mail views match what their mail programs support', async (t) => {
  const [html] = await renderMails('booking_confirmed', TEXTS.long);
  const [gmail, outlook] = [seenBy('gmail', html!), seenBy('outlook', html!)];
  t.regex(html!, /<style>[^]*prefers-color-scheme: dark/);
  for (const each of [gmail, outlook]) t.notRegex(each, /<style>/);
  t.regex(gmail, /float: right/);
  t.notRegex(outlook, /float|inline-block|word-wrap|table-layout/);
  t.regex(outlook, /<td class="button"[^>]* style="[^"]*background-color: #7a0019[^"]* padding: 12px 20px/);
});
