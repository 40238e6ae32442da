import { hiddenFields } from '../shared/api-form.js';
import type { Section } from '../shared/section.js';
import { archiveDiscountForm, showDiscount, updateDiscountForm } from './discount.js';
import { changedFields, newFields } from './discount-form.js';
import { createDiscountForm, discountsQuery, showDiscounts } from './discounts.js';

export const discounts: Section = [
  {
    path: '/discounts',
    capability: 'write_rooms',
    query: discountsQuery,
    show: showDiscounts,
    forms: [['', newFields, createDiscountForm]],
  },
  {
    path: '/discounts/:id',
    capability: 'write_rooms',
    show: showDiscount,
    forms: [
      ['', changedFields, updateDiscountForm],
      ['/archive', hiddenFields, archiveDiscountForm(true)],
      ['/restore', hiddenFields, archiveDiscountForm(false)],
    ],
  },
];
