import type { Fault } from './checks.js';
import { groupBy } from '../../domain/group-by.js';
import { nameView } from './view.js';
import type { Seen } from './visit.js';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const STYLE = `
  body { font: 14px/1.4 system-ui, sans-serif; margin: 16px; color-scheme: light dark; }
  nav { columns: 20em; } h2 { margin: 32px 0 8px; } h3 { margin: 16px 0 4px; font-size: 14px; }
  .row { display: flex; gap: 8px; align-items: flex-start; flex-wrap: wrap; }
  .row a { display: block; max-height: 420px; overflow: hidden; border: 1px solid #8888; }
  img { display: block; } .narrow img { width: 160px; } .wide img { width: 400px; }
  .faults { color: #b3261e; margin: 4px 0; padding-left: 20px; }
  .bad::after { content: ' ✘'; color: #b3261e; }
`;

const MOST_ALIKE = 3;

const sayFault = ({ check, text, at }: Fault): string => `${check}${at && ` (${at})`}: ${text}`;

/** Faults as lines: a few of each check at each width, because one cause has many. */
function toLines(faults: readonly Fault[]): string[] {
  const groups = groupBy([...faults], ({ check, at }) => `${check} ${at}`);
  return [...groups.values()].flatMap((alike) => {
    const shown = alike.slice(0, MOST_ALIKE).map(sayFault);
    return alike.length > MOST_ALIKE ? [...shown, `… and ${alike.length - MOST_ALIKE} more`] : shown;
  });
}

const list = ({ faults }: Seen): string =>
  faults.length === 0
    ? ''
    : `<ul class="faults">${toLines(faults)
        .map((line) => `<li>${escape(line)}</li>`)
        .join('')}</ul>`;

const showPictures = ({ pictures }: Seen): string =>
  pictures
    .map(
      ({ width, scheme, file }) =>
        `<a class="${width < 600 ? 'narrow' : 'wide'}" href="${file}" title="${width} px, ${scheme}">` +
        `<img loading="lazy" src="${file}" alt="${width} px, ${scheme}"></a>`,
    )
    .join('');

const toAnchor = (page: string): string => page.replaceAll(/\W+/g, '-');

const faultyFirst = <T>(items: readonly T[], isFaulty: (item: T) => boolean): T[] => [
  ...items.filter(isFaulty),
  ...items.filter((item) => !isFaulty(item)),
];

/** A page that shows the pictures of all views by page, those with faults first. */
export function writeSheet(seen: readonly Seen[]): string {
  const pages = faultyFirst([...groupBy([...seen], ({ view }) => view.page)], ([, views]) =>
    views.some(hasFaults),
  );
  const links = pages.map(([page, views]) => {
    const look = views.some(hasFaults) ? ' class="bad"' : '';
    return `<div><a href="#${toAnchor(page)}"${look}>${escape(page)}</a></div>`;
  });
  const sections = pages.map(
    ([page, views]) =>
      `<h2 id="${toAnchor(page)}">${escape(page)}</h2>` +
      faultyFirst(views, hasFaults)
        .map(
          (each) =>
            `<h3>${escape(each.view.state)}</h3>${list(each)}<div class="row">${showPictures(each)}</div>`,
        )
        .join(''),
  );
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${STYLE}</style>` +
    `<h1>${seen.length} views, ${seen.filter(hasFaults).length} with faults</h1>` +
    `<nav>${links.join('')}</nav>${sections.join('')}`
  );
}

export const hasFaults = ({ faults }: Seen): boolean => faults.length > 0;

/** A view's name and its faults, as lines. */
export const sayFaults = ({ view, faults }: Seen): string[] => [
  nameView(view),
  ...toLines(faults).map((line) => `    ${line}`),
];

/** The faults as lines, and how many views have each kind. */
export function summarize(seen: readonly Seen[]): string[] {
  const failed = seen.filter(hasFaults);
  const checks = failed.flatMap(({ faults }) => [...new Set(faults.map(({ check }) => check))]);
  const counts = [...groupBy(checks, (check) => check)].map(
    ([check, views]) => `${check.padEnd(10)} ${String(views.length).padStart(4)} views`,
  );
  return [...failed.flatMap(sayFaults), '', ...counts, `${seen.length} views, ${failed.length} with faults`];
}
