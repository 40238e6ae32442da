import type { Report } from '../../dev/launcher/report.js';
import type { Stack } from '../../dev/launcher/stack.js';
import type { Options } from './options.js';

/** What each measurement is given, and where it puts its figures. */
export interface Bench {
  stack: Stack;
  options: Options;
  report: Report;
  /** What `build/bench.json` will contain. */
  figures: Record<string, unknown>;
}
