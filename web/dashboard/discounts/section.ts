import { hiddenFields } from '../shared/api-form.js';
import { proven, type Section } from '../shared/section.js';
import { archiveDiscountForm, isFullDiscount, showDiscount, updateDiscountForm } from './discount.js';
import { changedFields, newFields } from './discount-form.js';
import { addsFullDiscount, createDiscountForm, discountsQuery, showDiscounts } from './discounts.js';

export const discounts: Section = [
  {
    path: '/discounts',
    capability: 'write_rooms',
    query: discountsQuery,
    show: showDiscounts,
    forms: [['', newFields, proven(createDiscountForm, { when: addsFullDiscount })]],
  },
  {
    path: '/discounts/:id',
    capability: 'write_rooms',
    show: showDiscount,
    forms: [
      ['', changedFields, proven(updateDiscountForm, { when: isFullDiscount })],
      ['/archive', hiddenFields, archiveDiscountForm(true)],
      ['/restore', hiddenFields, proven(archiveDiscountForm(false), { when: isFullDiscount })],
    ],
  },
];
