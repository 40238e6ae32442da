import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { withCopiedText } from './copied-text.js';

/** A font of a document: its name in the PDF, and the font itself. */
export interface PdfFont {
  name: string;
  font: Font;
  /** True if bold text is drawn with outlines, because the font has no bold weight. */
  isOutlined: boolean;
}

const opened = new Map<string, PdfFont>();

/** The font files. `ops/image-files.mjs` finds them by their names here. */
const FILES = {
  DejaVuSans: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  'DejaVuSans-Bold': import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  NotoSansDevanagari: import.meta
    .resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
  NotoSansThai: import.meta
    .resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  NotoSansJP: import.meta.resolve('@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'),
  NotoSansKR: import.meta.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
  NotoSansSC: import.meta.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
};
type FontName = keyof typeof FILES;

/** Opens a font, which stays open for later documents of the thread. */
function open(name: FontName): PdfFont {
  const known = opened.get(name);
  if (known) return known;
  const font = create(readFileSync(new URL(FILES[name]))) as Font;
  const isBase = name.startsWith('DejaVu');
  const pdfFont = { name, font: withCopiedText(font, isBase), isOutlined: !isBase };
  opened.set(name, pdfFont);
  return pdfFont;
}

export const baseFont = (isBold: boolean): PdfFont => open(isBold ? 'DejaVuSans-Bold' : 'DejaVuSans');

/**
 * Han characters have other forms in Japan and Korea. These are the time zones of places with their own font.
 */
const HAN_FONTS: Record<string, FontName> = { 'Asia/Tokyo': 'NotoSansJP', 'Asia/Seoul': 'NotoSansKR' };

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Includes the punctuation and the wide forms that these scripts share. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u;

/**
 * Returns the fonts besides the base font that may have characters of a text, in the order in which they are
 * tried.
 */
function fallbackFonts(text: string, timeZone: string): FontName[] {
  const isEastAsian = EAST_ASIAN.test(text);
  const fonts: [isAsked: boolean, FontName | undefined][] = [
    [/\p{Script=Devanagari}/u.test(text), 'NotoSansDevanagari'],
    [/\p{Script=Thai}/u.test(text), 'NotoSansThai'],
    [KANA.test(text), 'NotoSansJP'],
    [HANGUL.test(text), 'NotoSansKR'],
    [isEastAsian, HAN_FONTS[timeZone]],
    [isEastAsian, 'NotoSansSC'],
  ];
  return fonts.flatMap(([isAsked, name]) => (isAsked && name ? [name] : []));
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const has = ({ font }: PdfFont, cluster: string): boolean =>
  [...cluster].every((each) => font.hasGlyphForCodePoint(each.codePointAt(0)!) || INVISIBLE.test(each));

/** True if the base font has every character of a text with line breaks. */
export const hasInBase = (text: string, isBold: boolean): boolean =>
  has(baseFont(isBold), text.replaceAll('\n', ''));

/**
 * Returns a function that finds the font for each cluster of a text (what readers see as one character); null
 * if no font has it. Only the fonts that are needed are read. `timeZone`: the document's.
 */
export function fontFinder(
  text: string,
  isBold: boolean,
  timeZone: string,
): (cluster: string) => PdfFont | null {
  const base = baseFont(isBold);
  const fallbacks = fallbackFonts(text, timeZone);
  return (cluster) => {
    if (has(base, cluster)) return base;
    const name = fallbacks.find((each) => has(open(each), cluster));
    return name ? open(name) : null;
  };
}
