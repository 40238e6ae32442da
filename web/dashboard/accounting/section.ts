import { proven, type Section } from '../shared/section.js';
import {
  accountingFields,
  connectFromPage,
  disconnectFromPage,
  refreshFromPage,
  saveFromPage,
} from './accounting-actions.js';
import { openConsentPage } from './accounting-consent.js';
import { showAccounting } from './accounting.js';

export const accounting: Section = [
  { path: '/accounting/:consent', capability: 'write_workspace', show: openConsentPage },
  {
    path: '/accounting',
    capability: 'write_workspace',
    show: showAccounting,
    forms: [
      ['', accountingFields, saveFromPage],
      ['/connect', {}, proven(connectFromPage)],
      ['/refresh', {}, refreshFromPage],
      ['/disconnect', {}, disconnectFromPage],
    ],
  },
];
