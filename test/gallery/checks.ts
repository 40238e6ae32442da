import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { openAxe } from '../support/axe.js';
import { once } from '../support/once.js';
import type { Scheme } from './options.js';
import type { findFaults } from './page/faults.js';

/** A fault of a page, and where it is seen. */
export interface Fault {
  /** Such as `overflow` or `contrast`. */
  check: string;
  text: string;
  /** Such as `390 dark`; empty if it is the same at every width. */
  at: string;
}

type Found = ReturnType<typeof findFaults>;

/** The checks of `page/`, as one script. */
const script = once(async () => {
  const { outputFiles } = await build({
    entryPoints: ['test/gallery/page/faults.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'gallery',
    write: false,
  });
  return outputFiles[0]!.text;
});

/** What is wrong with the layout of the current page at its current width. */
async function findLayoutFaults(page: Page, at: string): Promise<Fault[]> {
  const found = (await page.evaluate(`${await script()}; gallery.findFaults()`)) as Found;
  return Object.entries(found).flatMap(([check, texts]) =>
    [...new Set(texts)].map((text) => ({ check, text, at })),
  );
}

/** Opens or closes what the page's parts hide. Returns the number of parts that changed. */
const openParts = (page: Page, open: boolean): Promise<number> =>
  page
    .locator(`main details${open ? ':not([open])' : '.opened-by-gallery'}`)
    .evaluateAll((parts: HTMLDetailsElement[], open) => {
      for (const part of parts) {
        part.open = open;
        part.classList.toggle('opened-by-gallery', open);
      }
      return parts.length;
    }, open);

/** Layout faults of the current page, also of the parts that it hides at first. */
async function findLayoutFaultsInAll(page: Page, at: string): Promise<Fault[]> {
  const found = await findLayoutFaults(page, at);
  if ((await openParts(page, true)) === 0) return found;
  const opened = await findLayoutFaults(page, `${at} opened`);
  await openParts(page, false);
  const known = new Set(found.map(({ text }) => text));
  return [...found, ...opened.filter(({ text }) => !known.has(text))];
}

/**
 * Everything that is wrong with the current page at these widths and in these schemes. `look` is called for
 * each of them.
 */
export async function findFaultsAt(
  page: Page,
  widths: readonly number[],
  schemes: readonly Scheme[],
  look: (width: number, scheme: Scheme) => Promise<unknown> = async () => {},
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const axe = await openAxe(page);
  // In between, colours are those of one or the other.
  const ends = [Math.min(...widths), Math.max(...widths)];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 860 });
    faults.push(...(await findLayoutFaultsInAll(page, String(width))));
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      const contrasts = ends.includes(width) ? await axe.contrasts() : [];
      faults.push(...contrasts.map((text) => ({ check: 'contrast', text, at: `${width} ${scheme}` })));
      await look(width, scheme);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
  const others = await axe.layout();
  await axe.close();
  return [...faults, ...others.map((text) => ({ check: 'axe', text, at: '' }))];
}
