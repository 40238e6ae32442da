import { findCutChoices, findCutText } from './cut.js';
import { findNarrowColumns } from './narrow.js';
import { findOverlaps } from './overlap.js';
import { seenTexts } from './texts.js';
import { findOverflow } from './wide.js';
import { findRepeatedZones } from './zones.js';

/** What is wrong with the layout of the page in this window, by the name of the check. */
export function findFaults(): Record<string, string[]> {
  const texts = seenTexts();
  return {
    overflow: findOverflow(),
    cut: [...findCutText(texts), ...findCutChoices()],
    overlap: findOverlaps(texts),
    narrow: findNarrowColumns(texts),
    zone: findRepeatedZones(texts),
  };
}
