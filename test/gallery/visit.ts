import type { BrowserContext, Page } from 'playwright-core';
import { dev } from '../support/stack.js';
import { findFaultsAt, type Fault } from './checks.js';
import type { GalleryOptions, Scheme } from './options.js';
import { nameView, type View } from './view.js';
import type { Visitors } from './visitors.js';

/** More do not go faster on two cores. */
const AT_ONCE = 2;
const PATIENCE_MS = 120_000;
/** The height up to which a page is photographed. Longer ones, such as the API reference, are no pictures. */
const MAX_HEIGHT = 6_000;

export interface Picture {
  width: number;
  scheme: Scheme;
  file: string;
}

/** A view that was looked at. */
export interface Seen {
  view: View;
  faults: Fault[];
  pictures: Picture[];
}

export interface Looking extends Pick<GalleryOptions, 'widths' | 'schemes'> {
  /** The folder for pictures, if there are any. */
  out?: string;
}

/** Opens a view's page. Returns its complaints, which grow. */
async function open(context: BrowserContext, view: View): Promise<{ page: Page; complaints: Fault[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: Fault[] = [];
  const complain = (check: string, text: string): void => void complaints.push({ check, text, at: '' });
  page.on('pageerror', (error) => complain('script', error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complain('policy', message.text());
  });
  if (view.html) {
    await page.setContent(view.html);
    return { page, complaints };
  }
  const response = await page.goto(new URL(view.address, dev.baseUrl).href);
  const { status = 200 } = view;
  if (response!.status() !== status) complain('status', `${view.address} returned ${response!.status()}`);
  await view.prepare?.(page);
  if ((await page.locator('main').innerText()).trim().length < 20) complain('empty', 'the page says nothing');
  return { page, complaints };
}

async function takePicture(page: Page, path: string): Promise<void> {
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
  const { width } = page.viewportSize()!;
  const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) };
  await page.screenshot({ path, type: 'jpeg', quality: 60, fullPage: true, clip, animations: 'disabled' });
}

const fileName = (view: View): string => nameView(view).replaceAll(/\W+/g, '-').replace(/^-/, '');

async function look(view: View, context: BrowserContext, looking: Looking): Promise<Seen> {
  const pictures: Picture[] = [];
  const { page, complaints } = await open(context, view);
  try {
    const widths = [...new Set([...looking.widths, ...(view.alsoAt ?? [])])];
    const faults = await findFaultsAt(page, widths, looking.schemes, async (width, scheme) => {
      if (!looking.out) return;
      const file = `${fileName(view)}-${width}-${scheme}.jpg`;
      await takePicture(page, `${looking.out}/${file}`);
      pictures.push({ width, scheme, file });
    });
    return { view, faults: [...complaints, ...faults], pictures };
  } finally {
    await page.close();
  }
}

/** Looks at each view, a few at a time. A view that cannot be opened is a fault of it. */
export async function visit(
  views: readonly View[],
  { contexts }: Visitors,
  looking: Looking,
  onSeen: (done: number) => void = () => {},
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let next = 0;
  const take = async (): Promise<void> => {
    while (next < views.length) {
      const n = next++;
      const view = views[n]!;
      seen[n] = await look(view, contexts[view.visitor], looking).catch((error: Error) => ({
        view,
        faults: [{ check: 'open', text: error.message.split('\n')[0]!, at: '' }],
        pictures: [],
      }));
      onSeen(seen.filter(Boolean).length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return seen;
}
