import { formIdFields } from '../shared/form.js';
import type { Section } from '../shared/section.js';
import { revokeGrantFromPage } from './grants.js';
import { createFromPage, keyFields, revokeFromPage, rotateFromPage } from './key-actions.js';
import { showKeys } from './keys.js';

export const keys: Section = [
  {
    path: '/keys',
    capability: 'manage_keys',
    show: showKeys,
    forms: [
      ['', keyFields, createFromPage],
      ['/:id/rotate', formIdFields, rotateFromPage],
      ['/:id/revoke', {}, revokeFromPage],
      ['/grants/:id/revoke', {}, revokeGrantFromPage],
    ],
  },
];
