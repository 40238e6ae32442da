import test from 'ava';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { draw } from '../../../commands/invoices/pdf/drawing.js';
import type { DocumentPdfInput } from '../../../commands/invoices/pdf/document.js';
import type { StatementContent } from '../../../domain/invoices/statement.js';
import { getWords } from '../../../domain/words/words.js';

const AT = new Date('2026-11-30T10:00:00Z');

/** An invoice from a seller to a payer of the same name, with a line about it. */
const invoice = (name: string, currency: string, time_zone = 'UTC'): DocumentPdfInput => ({
  document: {
    kind: 'invoice',
    number: 'HH-1',
    issued_at: AT,
    net_minor: 123_456,
    tax_minor: 0,
    total_minor: 123_456,
    lines: [
      {
        description: name,
        quantity: 1,
        unit_amount_minor: 123_456,
        tax_code: 'ZERO',
        tax_rate_bps: 0,
        tax_minor: 0,
        net_minor: 123_456,
      },
    ],
    terms: {
      currency,
      time_zone,
      reference: 'Order 7',
      booking: null,
      locale: 'en',
      due_at: AT.toISOString(),
      supplied: null,
      paid: [],
      reason: null,
      payment_instructions: `To the account of\n${name}`,
      parties: { seller: { name, details: null }, payer: null },
    },
  },
  payer: name,
});

const STATEMENT = {
  from: '2026-11-01',
  to: '2026-11-30',
  locale: 'en' as const,
  payment_instructions: null,
  open: [],
  opening: [],
};

/** A statement from a seller to a payer of the same name, with an invoice. */
const statement = (name: string, currency: string, time_zone = 'UTC') => ({
  statement: {
    number: 'HH-S1',
    issued_at: AT,
    content: {
      ...STATEMENT,
      time_zone,
      parties: { seller: { name, details: null }, payer: null },
      entries: [{ kind: 'invoice', number: 'HH-1', day: '2026-11-30', currency, amount_minor: 123_456 }],
    } satisfies StatementContent,
  },
  payer: name,
});

interface Read {
  text: string;
  /** Glyphs drawn for characters missing from the font. */
  missing: number;
  /** The names of the used fonts. */
  fonts: Set<string>;
}

/** What another library reads in a PDF. */
async function read(bytes: Uint8Array): Promise<Read> {
  const { OPS } = await getResolvedPDFJS();
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const found: Read = { text: '', missing: 0, fonts: new Set() };
  for (let n = 1; n <= pdf.numPages; n++) {
    const page = await pdf.getPage(n);
    const { items } = await page.getTextContent();
    found.text += items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    const { fnArray, argsArray } = await page.getOperatorList();
    for (const [i, operator] of fnArray.entries()) {
      if (operator === OPS.setFont) found.fonts.add(page.commonObjs.get(argsArray[i][0]).name);
      if (operator !== OPS.showText) continue;
      for (const glyph of argsArray[i][0]) if (glyph.originalCharCode === 0) found.missing++;
    }
  }
  return { ...found, text: found.text.replaceAll('\u00a0', ' ') };
}

/** As printed: an extractor does not distinguish a non-breaking space from another. */
const printedAmount = (currency: string): string =>
  getWords('en').amount(123_456, currency).replaceAll('\u00a0', ' ');

/**
 * Letters without the spaces between them, as the library finds one after a glyph that joins letters with a
 * mark.
 */
const letters = (text: string): string => text.replaceAll(/\s+/g, '');

const NAMES: Record<string, { name: string; currency: string; time_zone?: string; fonts: RegExp }> = {
  'western Europe': { name: 'Zoë Müller & Søn', currency: 'EUR', fonts: /^Helvetica/ },
  Poland: { name: 'Łódź & Żółć', currency: 'PLN', fonts: /DejaVu/ },
  Greece: { name: 'Γιώργος Παπαδόπουλος', currency: 'EUR', fonts: /DejaVu/ },
  Ukraine: { name: 'Олена Ґалаґан', currency: 'UAH', fonts: /DejaVu/ },
  Vietnam: { name: 'Nguyễn Văn Ánh', currency: 'VND', fonts: /DejaVu/ },
  'mainland China': { name: '王小明 镕喆有限公司', currency: 'CNY', fonts: /NotoSansSC/ },
  Taiwan: { name: '陳大文（總經理）', currency: 'TWD', fonts: /NotoSansSC/ },
  'Japan, with kana': { name: '株式会社ホールドファスト さくら', currency: 'JPY', fonts: /NotoSansJP/ },
  'Japan, without kana': {
    name: '山田直樹',
    currency: 'JPY',
    time_zone: 'Asia/Tokyo',
    fonts: /NotoSansJP/,
  },
  Korea: { name: '김민수 주식회사 홀드', currency: 'KRW', fonts: /NotoSansKR/ },
  Thailand: { name: 'สมชาย น้ำใจ กิตติศักดิ์', currency: 'THB', fonts: /NotoSansThai/ },
  'India, in Devanagari': {
    name: 'हिन्दी प्रकाश शर्मा क्षत्रिय ज्ञानेश्वर श्रीमती',
    currency: 'INR',
    fonts: /NotoSansDevanagari/,
  },
  'Israel, in Hebrew': { name: 'שלום כהן ובניו', currency: 'ILS', fonts: /DejaVu/ },
  'the Emirates, in Arabic': { name: 'محمد بن عبد الله', currency: 'AED', fonts: /DejaVu/ },
  'three scripts': { name: 'Ada Łoś 王小明 김민수', currency: 'GBP', fonts: /NotoSansKR/ },
};

for (const [place, { name, currency, time_zone, fonts }] of Object.entries(NAMES))
  test(`a name from ${place} is on invoices and statements as it was entered, and no glyph is missing`, async (t) => {
    const amount = printedAmount(currency);
    const drawn = [
      await draw('ws_1', 'renderDocument', invoice(name, currency, time_zone)),
      await draw('ws_1', 'renderStatement', statement(name, currency, time_zone)),
    ];
    for (const each of drawn) {
      const { text, missing, ...found } = await read(each);
      t.is(missing, 0);
      const times = letters(text).split(letters(name)).length - 1;
      t.true(times >= 2, `${name} is ${times} times in ${text}`);
      t.true(text.includes(amount), `${amount} in ${text}`);
      t.true(
        [...found.fonts].some((font) => fonts.test(font)),
        [...found.fonts].join(),
      );
      t.true(each.length < 100_000, `only the glyphs that are used are embedded: ${each.length} bytes`);
    }
  });

for (const symbol of '₹₪₩₫₱₴₦₺₽฿€£¥$')
  test(`the currency sign ${symbol} next to a Latin name is printed correctly`, async (t) => {
    const { text, missing } = await read(
      await draw('ws_1', 'renderDocument', invoice(`Ada (${symbol}1,234.56)`, 'GBP')),
    );
    t.is(missing, 0);
    t.true(text.includes(`Ada (${symbol}1,234.56)`), text);
  });

test('every currency next to a Latin name is printed as on pages', async (t) => {
  for (const currency of ['INR', 'ILS', 'KRW', 'VND', 'PHP', 'JPY', 'USD', 'CHF', 'BHD']) {
    const { text, missing } = await read(await draw('ws_1', 'renderDocument', invoice('Ada', currency)));
    t.is(missing, 0, currency);
    const amount = printedAmount(currency);
    t.true(text.includes(amount), `${amount} in ${text}`);
  }
});

test('right-to-left words and numbers are printed in their order', async (t) => {
  const bytes = await draw('ws_1', 'renderDocument', invoice('שלום כהן 12 Ltd', 'ILS'));
  const { OPS } = await getResolvedPDFJS();
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
  const { fnArray, argsArray } = await page.getOperatorList();
  const placed: { x: number; y: number; text: string }[] = [];
  let [x, y] = [0, 0];
  for (const [i, operator] of fnArray.entries()) {
    if (operator === OPS.setTextMatrix) [x, y] = [...argsArray[i][0]].slice(4) as [number, number];
    if (operator !== OPS.showText) continue;
    const glyphs = argsArray[i][0].filter((glyph: unknown) => typeof glyph === 'object');
    placed.push({ x, y, text: glyphs.map(({ unicode }: { unicode: string }) => unicode).join('') });
  }
  // The name of the seller, from left to right as drawn.
  const name = placed.filter((each) => each.y === placed[0]!.y).toSorted((a, b) => a.x - b.x);
  t.is(name.map(({ text }) => text).join(''), `Ltd 12 ${[...'שלום כהן'].toReversed().join('')}`);
});

test('a character that no font has is replaced, and the name around it is printed as entered', async (t) => {
  const { text, missing } = await read(
    await draw('ws_1', 'renderDocument', invoice('Ada \u{1F9FF} Łoś', 'GBP')),
  );
  t.is(missing, 0);
  t.true(text.includes('Ada \ufffd Łoś'), text);
});

test('long texts without spaces stay within their column, in every script', async (t) => {
  for (const part of ['王小明', 'สมชาย', 'שלוםכהן', 'محمد', 'हिन्दी', '김민수']) {
    const bytes = await draw('ws_1', 'renderDocument', invoice(part.repeat(40), 'GBP'));
    const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item && item.str.trim())
        t.true(item.transform[4] > 55 && item.transform[4] + item.width < 541, `${item.str}: ${item.width}`);
  }
});
