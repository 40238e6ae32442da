import { describe } from './texts.js';

const MAY_SCROLL = 'pre, code, textarea, [data-scrolls]';
const PHONE = 500;

const scrollsSideways = (element: Element): boolean =>
  ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);

/** The innermost elements that are wider than the window. */
function widest(): string[] {
  const out = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility() &&
      element.getBoundingClientRect().right > window.innerWidth + 1 &&
      !element.parentElement?.closest(MAY_SCROLL),
  );
  return out
    .filter((element) => !out.some((other) => other !== element && element.contains(other)))
    .map(describe);
}

/** A page that scrolls sideways; on a phone also a part of it that does. */
export function findOverflow(): string[] {
  const { scrollWidth } = document.documentElement;
  const page =
    scrollWidth > window.innerWidth
      ? [`the page is ${scrollWidth} px wide, because of ${widest().slice(0, 3).join(', ') || 'a margin'}`]
      : [];
  if (window.innerWidth > PHONE) return page;
  const parts = [...document.querySelectorAll('main *')].filter(
    (element) =>
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0 &&
      scrollsSideways(element) &&
      !element.matches(MAY_SCROLL),
  );
  return [...page, ...parts.map((part) => `${describe(part)} scrolls sideways`)];
}
