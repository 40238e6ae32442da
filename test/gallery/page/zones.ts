import { groupBy } from '../../../domain/group-by.js';
import type { SeenText } from './texts.js';

/** A person's data may name a zone: entries of logs, answers, settings and invoice lines. */
const DATA = 'td, dt, pre, code, option, .entry, ul.plain';
const ZONE = /[A-Z][a-z]+\/[A-Z]\w+/g;

/** Time zones that a page names more than once. */
export function findRepeatedZones(texts: readonly SeenText[]): string[] {
  const zones = texts
    .filter(({ node, element }) => !element.closest(DATA) && !/^[\w/]+$/.test(node.data.trim()))
    .flatMap(({ node }) => node.data.match(ZONE) ?? []);
  return [...groupBy(zones, (zone) => zone)]
    .filter(([, named]) => named.length > 1)
    .map(([zone, named]) => `${zone} is named ${named.length} times`);
}
