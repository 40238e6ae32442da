import type { Section } from '../shared/section.js';
import { blackoutForms, showBlackout } from './blackout.js';
import { newBlackoutFields, newBlackoutForm, showNewBlackout } from './new-blackout.js';

export const blackouts: Section = [
  {
    path: '/rooms/:id/blackouts/new',
    capability: 'write_blackouts',
    show: showNewBlackout,
    forms: [['', newBlackoutFields, newBlackoutForm]],
  },
  {
    path: '/rooms/:id/blackouts/:blackout_id',
    capability: 'write_blackouts',
    show: showBlackout,
    forms: blackoutForms,
  },
];
