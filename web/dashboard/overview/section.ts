import type { Section } from '../shared/section.js';
import { showOverview } from './overview.js';

export const overview: Section = [{ path: '', show: showOverview }];
