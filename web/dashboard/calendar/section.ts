import type { Section } from '../shared/section.js';
import { bookPage } from './book-form.js';
import { calendarPage } from './calendar.js';

export const calendar: Section = [calendarPage, bookPage];
