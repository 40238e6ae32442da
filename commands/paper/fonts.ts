import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import { withCopiedText } from './copied-text.js';

/** A font of a document: its name in the PDF, and what it can draw. */
export interface PaperFont {
  name: string;
  font: Font;
  /** Whether a bold text is drawn with outlines, because the font has no bold weight. */
  isOutlined: boolean;
}

const opened = new Map<string, PaperFont>();

/** A font that the build puts beside this file (dev/bundles/). It stays open for later documents of the thread. */
function open(name: string): PaperFont {
  const known = opened.get(name);
  if (known) return known;
  const font = create(readFileSync(fileURLToPath(new URL(`./${name}.ttf`, import.meta.url)))) as Font;
  const isBase = name.startsWith('DejaVu');
  const paperFont = { name, font: withCopiedText(font, isBase), isOutlined: !isBase };
  opened.set(name, paperFont);
  return paperFont;
}

export const baseFont = (isBold: boolean): PaperFont => open(isBold ? 'DejaVuSans-Bold' : 'DejaVuSans');

/** Han characters have other forms in Japan and Korea: time zones of places that have a font of their own. */
const HAN_FONTS: Record<string, string> = { 'Asia/Tokyo': 'NotoSansJP', 'Asia/Seoul': 'NotoSansKR' };

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** With the punctuation and the wide forms that these scripts share. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u;

/** The fonts beside the base font that may have characters of a text, in the order in which they are asked. */
function fallbacksOf(text: string, timeZone: string): string[] {
  const names = [
    /\p{Script=Devanagari}/u.test(text) && 'NotoSansDevanagari',
    /\p{Script=Thai}/u.test(text) && 'NotoSansThai',
    KANA.test(text) && 'NotoSansJP',
    HANGUL.test(text) && 'NotoSansKR',
    ...(EAST_ASIAN.test(text) ? [HAN_FONTS[timeZone], 'NotoSansSC'] : []),
  ];
  return names.filter((name) => typeof name === 'string');
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const has = ({ font }: PaperFont, cluster: string): boolean =>
  [...cluster].every((each) => font.hasGlyphForCodePoint(each.codePointAt(0)!) || INVISIBLE.test(each));

/** Whether the base font has every character of a text with line breaks. */
export const hasInBase = (text: string, isBold: boolean): boolean =>
  has(baseFont(isBold), text.replaceAll('\n', ''));

/**
 * Finds for each cluster of a text (what is read as one character) the font that draws it; null if none has it. Only fonts that
 * are needed are read. `timeZone`: of the document.
 */
export function fontFinder(
  text: string,
  isBold: boolean,
  timeZone: string,
): (cluster: string) => PaperFont | null {
  const base = baseFont(isBold);
  const fallbacks = fallbacksOf(text, timeZone);
  return (cluster) => {
    if (has(base, cluster)) return base;
    const name = fallbacks.find((each) => has(open(each), cluster));
    return name ? open(name) : null;
  };
}
