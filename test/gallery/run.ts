import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../dev/launcher/report.js';
import { chooseViews, openGallery } from './gallery.js';
import type { GalleryOptions } from './options.js';
import { hasFaults, summarize, writeSheet } from './sheet.js';
import { visit } from './visit.js';

/** Looks at all chosen views, and writes the pictures. Returns true if no view has a fault. */
export async function runGallery(options: GalleryOptions, report: Report): Promise<boolean> {
  const { out, only, pictures } = options;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { views, visitors } = await report.step('workspaces', openGallery);
  const chosen = chooseViews(views, only);
  if (chosen.length === 0) throw new Error(`no page or state contains ${only.join(' or ')}`);
  const seen = await report.step('pages', (say) =>
    visit(chosen, visitors, pictures ? options : { ...options, out: undefined }, (done) =>
      say(`${done} of ${chosen.length}`),
    ),
  );
  await visitors.close();
  const sheet = join(out, 'index.html');
  writeFileSync(sheet, writeSheet(seen));
  for (const line of summarize(seen)) report.line(`  ${line}`);
  report.line(`  Pictures: ${sheet}`);
  return !seen.some(hasFaults);
}
