import type { Section } from '../shared/section.js';
import { askAboutPayment, askFields } from './ask-about-payment.js';
import { searchQuery, showSearch } from './search.js';

export const search: Section = [
  {
    path: '/search',
    query: searchQuery,
    show: showSearch,
    forms: [['/ask', askFields, askAboutPayment, 'write_billing']],
  },
];
