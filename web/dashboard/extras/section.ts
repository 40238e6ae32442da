import { hiddenFields } from '../shared/api-form.js';
import type { Section } from '../shared/section.js';
import { archiveExtraForm, showExtra, updateExtraForm } from './extra.js';
import { extraFields } from './extra-form.js';
import { createExtraForm, extrasQuery, showExtras } from './extras.js';

export const extras: Section = [
  {
    path: '/extras',
    capability: 'write_rooms',
    query: extrasQuery,
    show: showExtras,
    forms: [['', extraFields, createExtraForm]],
  },
  {
    path: '/extras/:id',
    capability: 'write_rooms',
    show: showExtra,
    forms: [
      ['', extraFields, updateExtraForm],
      ['/archive', hiddenFields, archiveExtraForm(true)],
      ['/restore', hiddenFields, archiveExtraForm(false)],
    ],
  },
];
