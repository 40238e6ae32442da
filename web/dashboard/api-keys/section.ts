import { formIdFields } from '../shared/form.js';
import { proven, type Section } from '../shared/section.js';
import { revokeGrantFromPage } from './grants.js';
import { createFromPage, keyFields, revokeFromPage, rotateFromPage } from './key-actions.js';
import { showKeys } from './keys.js';
import { createPublishableFromPage, publishableFields, showPublishableForm } from './publishable-keys.js';

export const keys: Section = [
  {
    path: '/keys',
    capability: 'manage_keys',
    show: showKeys,
    forms: [
      ['', keyFields, proven(createFromPage, { ownSignIn: true })],
      ['/:id/rotate', formIdFields, proven(rotateFromPage, { ownSignIn: true })],
      ['/:id/revoke', {}, revokeFromPage],
      ['/grants/:id/revoke', {}, revokeGrantFromPage],
    ],
  },
  {
    path: '/keys/publishable',
    capability: 'manage_keys',
    show: showPublishableForm,
    forms: [['', publishableFields, proven(createPublishableFromPage)]],
  },
];
