import type { Section } from '../../shared/section.js';
import { dayListPage } from './day-list.js';
import { doorSignsPage } from './door-signs.js';
import { messageDayPage } from './message.js';
import { preparationsFile } from './preparations.js';

/** A day of all rooms, or of one: its list, the signs at the doors, and a message to its bookers. */
export const day: Section = [dayListPage, messageDayPage, doorSignsPage, preparationsFile];
