import type { Font, Glyph, GlyphRun, Subset } from 'fontkit';
import { clustersIn, isRightToLeft } from './script.js';

/** A character that readers skip, for a glyph that has no letter of its own. */
const NOTHING = 0x200b;

/** The maximum number of clusters of a font whose shapes are cached. */
const MAX_SHAPED = 20_000;

/** Glyphs with the letters that they represent, and their positions. */
class Shaped {
  constructor(
    readonly glyphs: NamedGlyph[],
    readonly positions: GlyphRun['positions'],
  ) {}

  /** In the unit of the positions, which the PDF library scales. */
  get advanceWidth(): number {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  }
}

/** The fields of a glyph that the PDF library reads. */
interface NamedGlyph {
  id: string;
  advanceWidth: number;
  codePoints: number[];
}

/**
 * Wraps a font so that copying and searching in a PDF finds the letters of a text. In scripts such as
 * Devanagari and Thai, the order of glyphs is not the order of letters, and one letter can be two glyphs. But
 * a PDF can state the letters of a glyph only once. So a glyph that represents different letters is embedded
 * once for each of them, and the letters of a cluster are stated in their order. `isWhole`: texts are shaped
 * as a whole, as cursive scripts need. Other texts are shaped by cluster and cached, since shaping takes
 * milliseconds.
 */
export function withCopiedText(font: Font, isWhole: boolean): Font {
  const shaped = new Map<string, Shaped>();
  const shape = (cluster: string): Shaped => {
    const known = shaped.get(cluster);
    if (known) return known;
    if (shaped.size >= MAX_SHAPED) shaped.clear();
    const run = font.layout(cluster);
    const letters = [...cluster].map((each) => each.codePointAt(0)!);
    const named = withLetters(run, spread(letters, run.glyphs.length));
    shaped.set(cluster, named);
    return named;
  };
  const layout = (text: string): Shaped => {
    if (isWhole) {
      const run = font.layout(text);
      if (isRightToLeft(text) || glyphText(run.glyphs) === text)
        return withLetters(
          run,
          run.glyphs.map(({ codePoints }) => codePoints),
        );
    }
    const parts = clustersIn(text).map(shape);
    return new Shaped(
      parts.flatMap(({ glyphs }) => glyphs),
      parts.flatMap(({ positions }) => positions.map((each) => ({ ...each }))),
    );
  };
  return Object.create(font, {
    layout: { value: layout },
    createSubset: { value: () => createSubset(font) },
  }) as Font;
}

const glyphText = (glyphs: Glyph[]): string =>
  glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints)).join('');

/** Distributes letters over glyphs: one for each, and the rest for the last one. */
const spread = (letters: number[], count: number): number[][] =>
  Array.from({ length: count }, (_, i) => {
    const own = i === count - 1 ? letters.slice(i) : letters.slice(i, i + 1);
    return own.length > 0 ? own : [NOTHING];
  });

/** Returns the glyphs of a run with their letters. Their ids differ if their letters differ. */
const withLetters = ({ glyphs, positions }: GlyphRun, letters: number[][]): Shaped =>
  new Shaped(
    glyphs.map(({ id, advanceWidth }, i) => ({
      id: `${id}:${letters[i]!.join(' ')}`,
      advanceWidth,
      codePoints: letters[i]!,
    })),
    positions,
  );

/** Returns the subset of a font to embed, whose glyphs have such ids. */
function createSubset(font: Font): Subset {
  const subset = font.createSubset() as Subset & { glyphs: number[] };
  const places = new Map<string | number, number>();
  return Object.create(subset, {
    includeGlyph: {
      value(id: string | number): number {
        // A component of another glyph keeps its own id.
        if (!places.has(id)) places.set(id, subset.glyphs.push(Number.parseInt(String(id), 10)) - 1);
        return places.get(id)!;
      },
    },
  }) as Subset;
}
